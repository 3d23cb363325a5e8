"""What gives away that a text addresses a machine and not its readers: the shape of a mark, and those in English."""

import re
from dataclasses import dataclass

SURE = 0.8
"""From this confidence on a page is said to hold planted text."""
LIKELY = 0.5
"""From this confidence on words are left out of what is read; below `SURE` no warning says so."""


@dataclass(frozen=True, slots=True)
class Mark:
    """One way in which such text gives itself away."""

    reason: str
    """For a person: "it …"."""
    confidence: float
    """That the words address a machine, 0 to 1; judged by what else such words are used for, fitted to nothing."""
    needles: tuple[str, ...]
    """In lower case. Without one of them in the text the pattern is not tried: that is what makes this cheap."""
    pattern: re.Pattern[str]
    whole: bool = True
    """Whether what stands behind the words, to the end of their block, belongs to them; else only their sentence."""


def mark(reason: str, confidence: float, needles: str, pattern: str, *, whole: bool = True) -> Mark:
    """A mark; `needles` parted by upright strokes, `pattern` without regard to case, `^` at every line."""
    return Mark(reason, confidence, tuple(needles.split("|")), re.compile(pattern, re.IGNORECASE | re.MULTILINE), whole)


_AFTER_STOP = r"(?:(?<=[.!?:\"“])\s*+|(?=\s)(?<!\s)(?=[^\S\n]*+\n)\s*+|\A(?!\s))"
"""Where a line or, behind a stop, a sentence begins: `(?:^|[.!?:\\n\"“]\\s*)`, tried once for each run of blanks.

Written that way, a run of line breaks would be read again from each of them.
"""
_BEGIN = r"(?:\b|(?<=(?-i:[a-z]))(?=(?-i:[A-Z])))"
"""Where a word begins, or a capital behind a small letter: cells and lines that a page's layout parted run together."""
_ORDERS = (
    r"(?:i\w{1,3}struct\w*|prompts?|directions?|directives?|guidelines?|commands?|rules|constraints|orders"
    r"|programming)"
)
_EARLIER = (
    r"(?:previous|prior|above|earlier|preceding|former|foregoing|initial|original|existing|other|system|developer"
    r"|safety)"
)
_MODEL = (
    r"(?:an? )?(?:AIs?|A\.I\.|artificial intelligence|LLMs?|(?:large )?language models?|chat-?bots?"
    r"|AI (?:assistants?|agents?|models?"
    r"|systems?|tools?|crawlers?|bots?|summari[sz]ers?)|LLM agents?|ChatGPT|GPT-?\d\w*|Claude|Gemini|Copilot"
    r"|Llama|Bard|Grok"
    r"|Mistral|DeepSeek|virtual assistants?|automated (?:agents?|systems?|readers?|assistants?))"
)
_ANSWER = r"(?:final |next |own |whole |entire )?(?:answers?|responses?|repl(?:y|ies)|outputs?|completions?)"
_NO_ORDER = r"(?:I|we|he|she|it|they|this|that|the|thank|thanks|sorry|regarding|what|how|if|why|when|see|as|for|your)"
_PRIVATE = (
    r"(?:passwords?|credentials|api[ -]?keys?|access tokens?|security codes?|passport numbers?|bank account"
    r"|credit card"
    r"|social security|private keys?|system prompt|hidden prompt|chat history|conversation history|id[_ ]numbers?)"
)
_OWN = r"(?:my|the user(?:'|’)?s?(?: is)?|all user|user (?:data|information)|your (?:user|owner|operator)(?:'|’)?s?)"

ENGLISH: tuple[Mark, ...] = (
    mark(
        "asks to ignore earlier instructions",
        0.95,
        "ignor|disregard|forget|overrid|bypass",
        rf"{_BEGIN}(?:ignor(?:e|ing)|disregard(?:ing)?|forget|overrid(?:e|ing)"
        rf"|bypass)\b(?:\W+\w+){{0,3}}?\W+{_EARLIER}\W+(?:\w+\W+){{0,2}}?{_ORDERS}\b",
    ),
    mark(
        "asks to ignore earlier instructions",
        0.85,
        "ignor|disregard|forget",
        rf"{_BEGIN}(?:ignore|disregard|forget)\s+(?:all\s+|everything\s+)?(?:(?:of\s+)?(?:the|your|any|my)\s+)?"
        rf"(?:{_ORDERS}\s+(?:above|before|given|you(?:\s+(?:were|have been|got|received)|(?:'|’)ve))"
        r"|everything (?:above|before|you (?:were|have been) told|you know))",
    ),
    mark(
        "poses as a system message",
        0.95,
        "system|assistant|developer|im_start|inst]|<<sys",
        r"(?<!#)#{2,}+\s*+[(\[<]\s*+(?:system|assistant|developer|user)[\w ]{0,20}[)\]>]|<\|(?:im_start|im_end|system"
        r"|assistant|user|endoftext)"
        r"\|?>|\[/?INST\]|<<SYS>>|^\W{0,6}(?:system|developer)[ _](?:message|prompt|override|instructions?"
        r"|notice)\s*[:\])>-]"
        r"|\[(?:system|developer)(?:[ _](?:message|prompt|override|instructions?|note))?\]\s*:?",
    ),
    mark(
        "poses as a system message",
        0.6,
        "system:|assistant:|</system|<system|<instruction|</instruction|<information>|</information>|<important>"
        "|tool_call|function_call",
        r"^\W{0,4}(?:system|assistant):\s+(?=\S)|</?(?:system|instructions?|information|important|admin|tool_call"
        r"|function_calls?|invoke)>",
    ),
    mark(
        "speaks to a machine reader",
        0.9,
        "to you,",
        r"\bthis is an? (?:\w+ ){0,2}(?:message|instruction|note|request"
        r"|notice) (?:from \S[^\n]{0,80}?,? )?to you, \S",
    ),
    mark(
        "speaks to a machine reader",
        0.85,
        "ai|llm|language model|gpt|claude|gemini|assistant|bot|agent|copilot|automated",
        rf"{_AFTER_STOP}(?:attention|note|notice|important|instructions?|message|dear|hey|hello"
        rf"|hi)\W{{1,3}}(?:(?:for|to) )?(?:all |any |the )?"
        rf"{_MODEL}(?: (?:readers?|users?))?\s*[:,!—–-]",
    ),
    mark(
        "speaks to a machine reader",
        0.85,
        "you are|you're|you’re|act as|pretend|reading this|processing this|summari|parsing this",
        rf"\bif you(?:'re|’re| are) {_MODEL}\b|\b(?:you are now|from now on,? you (?:are|will)"
        rf"|you will now act as|pretend (?:to be|you are)) {_MODEL}"
        rf"|\b{_MODEL}\s+(?:that (?:is|are) )?(?:reading|processing|parsing|summari[sz]ing|reviewing) (?:this"
        rf"|the) (?:page|text|article|document|site|content|paper)"
        rf"|\byou are {_MODEL}[^.\n]{{0,80}}\b(?:must|should|will|have to)\b",
    ),
    mark(
        "takes over the task",
        0.9,
        "task|question|request|prompt|query",
        r"\bbefore (?:you )?(?:can |may |could )?(?:solve|solving|complete|completing|finish|finishing|answer"
        r"|answering|continue|continuing|proceed\w*|do|doing)"
        r"(?: with)? (?:the|your|this|my|any) (?:\w+ )?(?:task|question|request|query"
        r"|prompt)s?\b[^.\n]{0,80}\b(?:please|you must|you need|you have to|first)\b"
        r"|\bthe (?:original |user )?(?:task|question) (?:that )?I gave you\b|\bafter you (?:do|did"
        r"|have done) (?:that|this|so),? you can (?:solve|continue|go on|answer)",
    ),
    mark(
        "takes over the task",
        0.9,
        "following instruction|new instruction|new task|real task|new goal|new objective|actual task"
        "|hidden instruction",
        r"\bstrictly (?:adhere to|follow|obey) the following instruct\w*"
        r"|(?:^|[.!?]\s)\W{0,6}(?:your |here are your )?(?:new|real|actual|updated|hidden) "
        r"(?:instructions?|task|goal|objective)s?(?: (?:is|are))?\s*:|\byour (?:new|real|actual|only"
        r"|true) (?:task|goal|objective|instructions?) (?:is|are)(?: now)?\b",
    ),
    mark(
        "takes over the task",
        0.6,
        "instead",
        r"(?:^|[.!?]\s+)do\s+(?:this|that|the following|\S[^\n]{3,600}?)(?<!\s)\s+instead(?:\.|!|$| of (?:the|your|what"
        r"|answering|that))",
    ),
    mark(
        "says what an answer has to hold",
        0.6,
        "your answer|your response|your repl|your output|your final|your next|your completion|your own|your whole"
        "|your entire|your summar|your report|your message|your writing",
        rf"(?:^(?![^\S\n]*+{_NO_ORDER}\b)|(?:[.!?:;]\s++|\bplease\s++)(?!{_NO_ORDER}\b))[^.!?\n]{{0,200}}?"
        rf"\byour (?:{_ANSWER}|summary|report|message|writing)\b(?! (?:to|from|will be|was|is|has been|must reach"
        rf"|by) (?:us|me|him|her|the|we|our)?)",
        whole=False,
    ),
    mark(
        "asks to say only what it likes",
        0.85,
        "positive|negative|recommend|mention",
        r"\b(?:give|write|provide|leave) (?:only )?an? (?:\w+ )?positive (?:review|rating|assessment"
        r"|evaluation) only\b|\bdo not (?:highlight|mention) any negatives?\b"
        r"|\b(?:you|ai|llms?|assistants?|models?) (?:must|should|shall|will) (?:always|only) (?:recommend|mention"
        r"|praise|cite|promote)\b",
    ),
    mark(
        "asks for what is private",
        0.7,
        "passw|credential|api|token|security code|passport|bank account|credit card|social sec|private key|prompt"
        "|history|id_num|id num",
        rf"(?:^|[.!?:;]\s+|\b(?:please|then|and|finally,?)\s+)(?:send|forward|e-?mail|transfer|post|upload|share"
        rf"|leak|exfiltrate|reveal|tell|get|give|print|output|append|include|repeat)\b"
        rf"[^.!?\n]{{0,120}}\b{_OWN}\b[^.!?\n]{{0,120}}\b{_PRIVATE}",
    ),
    mark(
        "asks for what is private",
        0.6,
        "the user|my inbox|my cloud|my e|my new e|as visible from|without asking|all messages|all user",
        r"(?:^|[.!?:;]\s+|\b(?:please|then|and|finally,?)\s+)(?:send|forward|e-?mail|transfer|post|upload|share"
        r"|concatenate|delete|get|invite|make|create)\b"
        r"[^.!?\n]{0,160}(?:\bthe user(?:'|’)?s?\b|\bmy (?:new |own )?(?:inbox|cloud|e-?mail)|\(as visible from"
        r"|\bwithout asking (?:me|the user)|\ball messages\b|\ball user\b)",
    ),
    mark(
        "asks for what is private",
        0.55,
        "without asking me|without asking the user|without telling|without confirm",
        r"\bwithout (?:asking|telling|informing|confirming with) (?:me|the user|anyone)\b",
        whole=False,
    ),
    mark(
        "asks to keep something from the user",
        0.7,
        "the user|your user|the human|your operator",
        r"\b(?:do not|don(?:'|’)t|never|without) (?:tell(?:ing)?|inform(?:ing)?|mention(?:ing)?|reveal(?:ing)?"
        r"|alert(?:ing)?|notify(?:ing)?|show(?:ing)?)\b"
        r"[^.\n]{0,40}\b(?:the|your) (?:user|human|operator)\b",
    ),
    mark(
        "asks to decode and obey",
        0.85,
        "decode|decipher|base64|rot13|unscramble|decrypt",
        r"\b(?:decode|decipher|unscramble|decrypt|base64|rot-?13)\b[^\n]{0,120}\b(?:and"
        r"|then)\b[^\n]{0,30}\b(?:follow|execute|run|obey|do|carry out|act on|comply)\b",
    ),
    mark(
        "would send data to an address",
        0.7,
        "http",
        r"!\[[^\]\n]{0,80}\]\(https?://[^)\s?&=/]{0,200}+[?&=/][^)\s]{0,260}?(?:\{[^{})]{1,60}\}|\[[A-Z_ ]{3,40}\]"
        r"|<[a-z_ ]{3,40}>|"
        r"(?:DATA|SECRET|PASSWORD|HISTORY|CONVERSATION|PROMPT)\b)",
        whole=False,
    ),
    mark(
        "imitates the marks around page text",
        0.7,
        "passage|statements|sub_question|<<<",
        r"</\s*(?:passage|statements|sub_question|claims|background)(?:\s+[\w-]+)?\s*>|<(?:passage|sub_question"
        r"|statements)\b[^>\n]{0,200}\bid\s*=|<<<\s*[0-9a-f]{8,}",
    ),
    mark(
        "sets a task",
        0.55,
        "todo",
        # The marks before the word are read once, from the first of them on.
        r"(?<![>*\-#|\s])(?:\A|(?<=(?-i:[a-z]))|(?<=[.!?:;)\"”’])(?=\s)|(?=[>*\-#|\s]*?(?:\n|\s\s|\|\s)))"
        r"[>*\-#|\s]*+(?-i:TODO|To-?Do|ToDo)\s*(?::|[-–—]\s)\s*(?=\S)",
    ),
    mark(
        "shouts an order",
        0.55,
        "important|urgent|attention|warning",
        r"(?:^|[.!?]\s+)(?-i:IMPORTANT|URGENT|ATTENTION|WARNING)\s*!{2,}",
    ),
)
