"""What gives away that a text addresses a machine and not its readers, in other languages than English."""

from deepresearch_mcp.injection.marks import Mark, mark

OTHERS: tuple[Mark, ...] = (
    # German
    mark(
        "asks to ignore earlier instructions",
        0.95,
        "ignorier|vergiss|vergessen sie|missacht|beachte nicht",
        r"\b(?:ignorier(?:e|en|t)|vergiss|vergessen|missacht(?:e|en))\b(?:\s+\w+){0,3}?\s+(?:vorherig|bisherig"
        r"|vorangegangen|vorig|obig|früher|vorstehend|ursprünglich)\w*"
        r"\s+(?:\w+\s+)?(?:anweisung|instruktion|befehl|vorgabe|regel|anleitung|prompt|auftr)\w*",
    ),
    mark(
        "speaks to a machine reader",
        0.85,
        "sprachmodell|ki-|eine ki|künstliche intelligenz|systemnachricht|systemmeldung|system-prompt|systemanweisung",
        r"\b(?:wenn|falls|da) (?:du|sie) (?:ein|eine) (?:KI|Sprachmodell|künstliche Intelligenz|KI-\w+)\b"
        r"|\bdu bist (?:jetzt |nun |ab jetzt )(?:ein|eine) (?:KI|Sprachmodell|künstliche)"
        r"|^\W{0,6}(?:systemnachricht|systemmeldung|systemanweisung|system-prompt)\s*:|\b(?:hinweis|achtung"
        r"|anweisung|nachricht|wichtig)\W{1,3}(?:an|für) (?:alle )?(?:KI|Sprachmodelle|KI-\w+)",
    ),
    mark(
        "says what an answer has to hold",
        0.6,
        "deiner antwort|deine antwort",
        r"(?:^|[.!?:;]\s++|\bbitte\s++)[^.!?\n]{0,160}?\bdeine[r]? (?:nächsten? )?antwort\b",
        whole=False,
    ),
    mark(
        "takes over the task",
        0.85,
        "bevor du|bevor sie",
        r"\bbevor (?:du|sie)\b[^.\n]{0,60}\b(?:aufgabe|frage|anfrage)\b[^.\n]{0,80}\b(?:zuerst|zunächst|bitte"
        r"|musst|müssen)\b",
    ),
    # French
    mark(
        "asks to ignore earlier instructions",
        0.95,
        "ignore|oublie|tiens pas compte|tenez pas compte|fais abstraction|faites abstraction",
        r"\b(?:ignor(?:e|es|ez|er)|oubli(?:e|es|ez|er)|ne (?:tiens|tenez) pas compte|(?:fais"
        r"|faites) abstraction)\b(?:\s+\S+){0,4}?\s+(?:instructions?|consignes?|directives?|ordres?|règles)"
        r"\s+(?:précédent|antérieur|ci-dessus|initial|reçu|d['’]origine)\w*",
    ),
    mark(
        "speaks to a machine reader",
        0.85,
        "modèle de langage|une ia|message système|intelligence artificielle|invite système",
        r"\bsi (?:tu es|vous êtes) (?:une? )?(?:IA|modèle de langage|intelligence artificielle"
        r"|assistant virtuel)\b|\b(?:tu es|vous êtes) (?:maintenant|désormais) une? (?:IA|modèle de langage"
        r"|intelligence)"
        r"|^\W{0,6}(?:message|invite|instruction)s? (?:du )?système\s*:|\b(?:attention|note|message"
        r"|instruction)\W{1,3}(?:pour|aux?) (?:les |l['’]|tous les |toutes les )?(?:IA|modèles de langage)",
    ),
    mark(
        "says what an answer has to hold",
        0.6,
        "ta réponse|votre réponse",
        r"(?:^|[.!?:;]\s+)(?:ajout|inclu|insèr|insér|modif|rempla|termin|commenc|écri|mention|intègr|intégr"
        r"|utilis|rédig|fourni|donn)\w*\s(?:[^.\n]{0,160}?)(?:dans|de|par|à) (?:ta|votre) réponse\b",
        whole=False,
    ),
    # Spanish, Portuguese, Italian
    mark(
        "asks to ignore earlier instructions",
        0.95,
        "ignor|olvid|caso omiso|esque|dimentic",
        r"\b(?:ignor(?:a|e|en|ad|ar|i|ate)|olvid(?:a|e|en|ar)|haz caso omiso|haga caso omiso|esqueça|esquece"
        r"|dimentica(?:te)?)\b(?:\s+\S+){0,3}?\s+"
        r"(?:instruccion|órdenes|ordenes|indicacion|reglas|instruç|ordens|regras|istruzion|indicazion"
        r"|ordini)\w*\s+(?:anterior|previa|precedent|originale|iniciale|de arriba|acima|anteriormente)\w*",
    ),
    mark(
        "speaks to a machine reader",
        0.85,
        "modelo de len|modelo de ling|modello linguistico|una ia|uma ia|un'ia|mensaje del sistema"
        "|mensagem do sistema|messaggio di sistema|inteligencia artificial|inteligência artificial",
        r"\b(?:si|se) (?:tú )?(?:eres|es|você é|sei) (?:una?|uma?|un['’])\s?(?:IA|modelo de lengu?agem?"
        r"|modelo de lenguaje|modelo de linguagem|modello linguistico|inteligencia|inteligência)"
        r"|\b(?:ahora eres|agora você é|ora sei) (?:una?|uma?|un['’])\s?(?:IA|modelo|modello|inteligencia"
        r"|inteligência)|^\W{0,6}(?:mensaje del|mensagem do|messaggio di) sistema\s*:",
    ),
    mark(
        "says what an answer has to hold",
        0.6,
        "tu respuesta|su respuesta|sua resposta|tua risposta",
        r"(?:^|[.!?:;]\s+)(?:incluy|añad|agreg|modific|reempla|sustitu|escrib|termin|mencion|inclu|adicion"
        r"|aggiung|inserisc|integr|proporcion|us[ae])\w*\s(?:[^.\n]{0,160}?)(?:en|a|de|con|na|à|nella|alla) (?:tu"
        r"|su|sua|tua) (?:respuesta|resposta|risposta)\b",
        whole=False,
    ),
    # Russian
    mark(
        "asks to ignore earlier instructions",
        0.95,
        "игнориру|забуд",
        r"\b(?:про)?(?:игнорируй|забудь)(?:те)?\s+(?:\w+\s+){0,2}?(?:предыдущ|прежн|прошл|вышеуказан"
        r"|исходн)\w+\s+(?:инструкци|указани|команд|правил)\w*",
    ),
    # Chinese, Japanese, Korean
    mark(
        "asks to ignore earlier instructions",
        0.95,
        "忽略|无视|無視|忘记|忘掉|忘記|不要理会|忘れ|무시",
        r"(?:忽略|无视|無視|忘记|忘記|忘掉|不要理会)[^。\n]{0,8}?(?:之前|以前|先前|上述|以上|前面|此前|原有|原来|系统)[^。\n]{0,8}?(?:指令|指示|命令|提示|说明|說明"
        r"|规则|要求)"
        r"|(?:以前|これまで|上記|前述|従来|前)の(?:すべての|全ての)?(?:指示|命令|ルール|プロンプト)[^。\n]{0,6}(?:無視|忘れ)|(?:이전|앞의"
        r"|위의)[^.\n]{0,8}(?:지시|명령|지침)[^.\n]{0,6}(?:무시|잊)",
    ),
    mark(
        "speaks to a machine reader",
        0.85,
        "语言模型|語言模型|人工智能|ai助手|系统消息|系统提示|系统指令|システムメッセージ|你现在是|如果你是",
        r"(?:如果|若)[你您]是(?:一个|一個|一名)?[^。\n]{0,6}(?:AI|人工智能|语言模型|語言模型|大模型|机器人|助手)|你现在是(?:一个|一名)?[^。\n]{0,6}(?:AI"
        r"|人工智能|语言模型|助手|机器人)|^\W{0,6}(?:系统(?:消息|提示|指令)|システムメッセージ)\s*[:：]",
    ),
    mark(
        "says what an answer has to hold",
        0.6,
        "你的回答|您的回答|你的回复|您的回复|你的答复|回答の中",
        r"(?:^[^\S\n]*+|[。！？；：]\s*+)请?[^。\n]{0,40}在?[你您]的(?:回答|回复|答复)[中里][^。\n]{0,80}",
        whole=False,
    ),
)
