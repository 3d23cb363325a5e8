"""Words for what a page has no reason to speak of: its machine reader, the answer it writes, what it was told to do.

Beginnings of words by notion, in some sixty languages, parted by commas; `$` ends a whole word. Written without regard
to case and accents, which are taken away before words are compared.
"""

MACHINE = """
ai$, a i$, prompt injection, jailbreak, ais$, llm, gpt, chatgpt, claude$, gemini$, copilot$, assistant,
chatbot, chat bot, bot$, bots$, language model, artificial intelligence, summariser, summarizer,
machine reader, automated digest, automatic digest, machine digest, whoever is process, whatever is process,
whoever process, whatever process, whoever or whatever, whatever reads, whatever is reading, whoever is reading,
anyone processing, anything processing, anything that reads,
reviewers of claims, fact checker, verifiers$, anyone compil, anyone writing, those writing,
automated reader, automated system, automated agent, ai agent, crawler, research agent, reading agent,
whoever summari, whoever compil, whoever writes, whoever reads, whoever passes, those who pass,
who pass this on, whoever uses this, anyone summari, generative model, ki$, kis$, sprachmodell, assistent,
künstliche intelligenz, künstlichen intelligenz, taalmodel, kunstmatige, ia$, ias$, modèle de langage,
modèles de langage, intelligence artificielle, modelo de leng, modelos de leng, asistent, modelo de ling,
modelos de ling, assistente, inteligencia artificial, inteligência artificial, modello linguistic,
modelli linguistic, intelligenza artificiale, model de limbaj, inteligență artificial,
inteligența artificial, intel ligència artificial, model de llenguatge, språkmodell, sprogmodel,
kunstig intelligens, artificiell intelligens, gervigreind, mállíkan, aðstoðarmað, tekoäly, kielimalli,
avustaj, tehisintellekt, tehisaru, keelemudel, abiline, mesterséges intelligencia, nyelvi modell,
asszisztens, sztuczn, językow, asystent, umělá inteligence, umělé inteligence, umelá inteligencia,
umelej inteligencie, jazykový model, umjetna inteligencija, umjetne inteligencije, jezični model,
veštačka inteligencija, jezički model, pomoćnik, umetna inteligenca, umetne inteligence, jezikovni model,
dirbtinis intelektas, dirbtinio intelekto, kalbos model, mākslīg, valodas model, palīg, ии$, искусственн,
языковая модель, языковой модел, языковые модел, ассистент, нейросет, чат бот, бот$, шi$, ші$, штучн,
мовна модел, мовні модел, асистент, помічник, изкуствен интелект, езиков модел, езикови модел, вештачк,
јазичен модел, језички модел, штучны інтэлект, памочнік, жасанды интеллект, көмекші, хиймэл оюун, туслах,
τεχνητη νοημοσυνη, τεχνητης νοημοσυνης, γλωσσικο μοντελο, γλωσσικα μοντελα, βοηθος, βοηθε, yapay zeka,
dil modeli, asistan, süni intellekt, köməkçi, sunʼiy intellekt, sun iy intellekt, til modeli, yordamchi,
ذكاء اصطناعي, الذكاء الاصطناعي, نموذج لغوي, نماذج اللغة, نموذج اللغة, المساعد, مساعد الذكاء, هوش مصنوعی,
مدل زبانی, دستیار, مصنوعی ذہانت, اے آئی, زبان ماڈل, معاون, בינה מלאכותית, מודל שפה, מודלי שפה, עוזר, העוזר,
עוזרת, कृत्रिम बुद्धिमत्ता, एआई, भाषा मॉडल, सहायक, असिस्टेंट, কৃত্রিম বুদ্ধিমত্তা, এআই, ভাষা মডেল, সহকারী,
சகாயக, செயற்கை நுண்ணறிவு, மொழி மாதிரி, உதவியாளர், కృత్రిమ మేధ, భాషా నమూనా, సహాయక, ಕೃತಕ ಬುದ್ಧಿಮತ್ತೆ, ಸಹಾಯಕ,
നിർമ്മിത ബുദ്ധി, സഹായി, કૃત્રિમ બુદ્ધિ, સહાયક, ਸਹਾਇਕ, कृत्रिम बौद्धिकता, trí tuệ nhân tạo, mô hình ngôn ngữ,
trợ lý, kecerdasan buatan, model bahasa, asisten, pembantu ai, artipisyal, katulong, akili bandia,
akili unde, modeli ya lugha, msaidizi, ปัญญาประดิษฐ์, โมเดลภาษา, แบบจำลองภาษา, ผู้ช่วย, เอไอ, ຜູ້ຊ່ວຍ,
បញ្ញាសិប្បនិម្មិត, ជំនួយការ, 人工智能, 人工智慧, 语言模型, 語言模型, 大模型, 助手, 助理, 机器人, 機器人,
智能体, 言語モデル, アシスタント, 人工知能, チャットボット, 生成ai, 인공지능, 언어 모델, 언어모델,
어시스턴트, 도우미, 챗봇, artefarita inteligent, lingvomodel, asistant, helpant, intellegentia artificialis,
intelligentia artificialis, adiutor, adimen artifizial, hizkuntza eredu, laguntzaile,
deallusrwydd artiffisial, cynorthwyydd, intleacht shaorga, cúntóir, kunsmatige, inteligjenc,
արհեստական բանական, օգնական, ხელოვნური ინტელექტ, ასისტენტ, ሰው ሰራሽ, ረዳት, hankali na wucin, oye atọwọda,
ubuhlakani, umsizi
"""

WORK = """
answer, answers$, response$, responses$, reply, replies$, summary, summaries, summari, digest$, digests$, output$,
outputs$, write up, report$, reports$, conclusion$, antwort, zusammenfass, bericht, ausgabe$, fazit,
antwoord, samenvat, verslag, rapport, réponse, synthèse, respuesta, resumen, informe$, informes$, resposta,
resumo, relatório, risposta, rispost, riassunt, relazione$, sintesi$, resum$, răspuns, rezumat, raport,
svar$, svaret, svaren$, sammanfatt, sammenfat, opsummer, oppsummer, sammendrag, samantekt, skýrsl,
vastaukse, vastaus, vastauks, tiivistelm, yhteenve, vastus, vastuse, kokkuvõt, aruan, válasz, összefoglal,
jelentés, odpowied, podsumowani, raporc, streszcz, odpověď, odpověd, shrnut, souhrn, odpoveď, zhrnut,
odgovor, sažet, sažetak, izvješ, izvešt, povzet, poročil, atsakym, santrauk, ataskait, atbild, kopsavilk,
ziņojum, ответ, сводк, изложени, пересказ, резюме, отчёт, обзор, відповід, підсум, звіт, отговор, обобщен,
доклад, одговор, извешта, преглед, адказ, справаздач, жауап, қорытынды, есеп, хариулт, тайлан, απαντησ,
περιληψ, αναφορα, εκθεση, σύνοψ, yanıt, cevap, cevab, özet, raporu, cavab, xülas, hesabat, javob, xulosa,
hisobot, الإجابة, إجابت, إجابة, الرد, ردك, ملخص, التقرير, تقرير, الجواب, جواب, پاسخ, خلاصه, گزارش, خلاصہ,
رپورٹ, תשוב, סיכומ, סיכום, דוח, דו״ח, תקציר, उत्तर, जवाब, सारांश, रिपोर्ट, উত্তর, সারাংশ, সারসংক্ষেপ,
প্রতিবেদন, பதில், சுருக்க, அறிக்கை, సమాధాన, సారాంశ, నివేదిక, ಉತ್ತರ, ಸಾರಾಂಶ, ഉത്തര, സംഗ്രഹ, જવાબ, સારાંશ,
ਜਵਾਬ, ਸਾਰ, अहवाल, câu trả lời, trả lời, tóm tắt, báo cáo, jawaban, jawapan, ringkasan, laporan, rangkuman,
sagot, buod, ulat, jibu, majibu, muhtasari, ripoti, คำตอบ, สรุป, รายงาน, ຄຳຕອບ, ចម្លើយ, 回答, 答案, 回复,
回覆, 答复, 答覆, 摘要, 总结, 總結, 报告, 報告, 输出, 輸出, 要約, 答え, レポート, 답변, 요약, 보고서, 응답,
resumo$, responsum, responso, erantzun, laburpen, txosten, ateb, crynodeb, adroddiad, freagra, achoimre,
tuarascáil, opsomming, përgjigj, përmbledhj, պատասխան, ամփոփ, պասուխ, პასუხ, შეჯამებ, ანგარიშ, መልስ, ማጠቃለያ,
amsa, idahun, impendulo, résumé$, résumés$, résumer, relatione, respondo$, respondon$, respondu, respondoj,
overview, overviews, derived work, derived text, accounts of, auskünfte, auskunft, لخص, redogörels
"""

RULE = """
instruction, directive, guideline, prompt$, prompts$, system message, system prompt, system note,
system notice, policy$, policies$, rule$, rules$, protocol$, standing order, house style, anweisung,
instruktion, vorgabe, befehl, richtlinie, regel, systemnachricht, systemmeldung, instructie, aanwijzing,
opdracht, richtlijn, bevel, voorschrift, systeembericht, consigne, règle, règles, ordre$, ordres$,
instruccion, indicacion, orden$, órdenes, regla, directri, política, instruç, ordem$, ordens$, regra,
diretri, istruzion, indicazion, direttiv, regol, ordini, politica, linee guida, norma$, normes$,
instrucțiun, comenz, indicați, anvisning, riktlinj, instruks, retningslinj, fyrirmæl, leiðbein, reglu, ohje,
ohjei, määräy, käsky, juhis, juhend, korraldus, reegl, utasítás, szabály, irányelv, parancs, instrukcj,
polece, wytyczn, zasad, reguł, pokyn, instrukc, příkaz, pravid, príkaz, pravidl, uput, instrukcij, pravil,
naredb, navodil, ukaz, nurodym, taisykl, norād, noteikum, инструкц, указани, правил, команд, распоряж,
политик, директив, приказ, вказівк, інструкц, наказ, настанов, заповед, нареждан, упатств, упутств, наредб,
інструкцы, загад, нұсқау, ереже, заавар, οδηγι, εντολ, κανον, πολιτικ, ντιρεκτιβ, talimat, yönerge, kural,
komut, emir$, emirle, politika, təlimat, göstəriş, qayda, koʻrsatma, ko rsatma, yo riqnoma, buyruq, تعليمات,
أوامر, قواعد, توجيه, سياسة, دستور, قوانین, راهنما, فرمان, ہدایات, احکام, הוראו, הנחיו, הנחיי, כללי, פקוד,
מדיניות, निर्देश, आदेश, नियम, নির্দেশ, আদেশ, নিয়ম, அறிவுறுத்த, வழிமுறை, கட்டளை, விதி, సూచన, ఆదేశ, నియమ,
ಸೂಚನೆ, ಆದೇಶ, നിർദ്ദേശ, സૂચના, સૂચના, ਹਦਾਇਤ, ਨਿਰਦੇਸ਼, सूचना, hướng dẫn, chỉ thị, chỉ dẫn, mệnh lệnh, quy tắc,
chính sách, instruksi, perintah, petunjuk, aturan, arahan, kebijakan, tagubilin, utos$, panuto, patakaran,
maagizo, maelekezo, amri$, agizo, sera$, คำสั่ง, คำแนะนำ, กฎ, นโยบาย, ຄຳສັ່ງ, ការណែនាំ, 指令, 指示, 命令,
提示, 规则, 規則, 规定, 規定, 政策, 方針, 方针, ルール, プロンプト, 지시, 명령, 지침, 규칙, 방침, 정책,
instrukci, ordon, praecept, iussa, iussum, iusso, jarraibide, agindu, arau$, arauak, cyfarwyddi, cyfarwyddy,
gorchym, rheol, treoir, treorach, orduithe, instruksie, opdrag, reël, udhëzim, urdhr, urdhër, rregull,
հրահանգ, ցուցում, ინსტრუქცი, მითითებ, ბრძანებ, መመሪያ, ትእዛዝ, umarni, itọsọna, imiyalelo, regulă, regulile,
reguli$, regulo, regulon, regula$, regulam, mandata, mandatum
"""

IGNORE = """
ignor, disregard, forget, overrid, overrul, bypass, discard, supersede, set aside, no longer appl,
no longer valid, are void, is void, replaced by, vergiss, vergessen, missacht, außer acht, negeer, vergeet,
oubli, ne tiens, ne tenez, olvid, caso omiso, esque, dimentic, trascur, uitați, uită$, oblid, bortse, glöm,
glem$, glemm, se bort, hunsa, gleym, unohda, huomiott, sivuuta, ohita, unusta, eira, felejts,
figyelmen kívül, zignoruj, zapomnij, pomiń, zapomeň, zapomeňte, nedbej, zabudn, zanemar, zaborav, prezri,
pozabi, nepais, pamiršk, neiev, aizmirst, игнориру, проигнориру, забудь, забуд, не учитыва, отмен, ігнору,
проігнору, игнорира, пренебрегн, забрав, игнориши, занемари, заборав, ігнар, забудз, елеме, ұмыт, үл тоо,
αγνο, ξεχασ, παραβλεψ, yok say, görmezden gel, unut, dikkate alma, nəzərə alma, eʼtiborsiz, e tiborsiz,
تجاهل, انس$, اهمل, أهمل, نادیده, فراموش, نظر انداز, بھول, התעלמ, התעלם, שכח, अनदेखा, नजरअंदाज, नज़रअंदाज़,
उपेक्षा, भूल जा, दुर्लक्ष, উপেক্ষা, অগ্রাহ্য, ভুলে যা, புறக்கணி, மறந்து, విస్మరించ, మర్చిపో, ನಿರ್ಲಕ್ಷಿಸಿ,
അവഗണി, અવગણ, ਨਜ਼ਰਅੰਦਾਜ਼, bỏ qua, quên$, phớt lờ, abaikan, lupakan, huwag pansinin, balewalain, kalimutan,
puuza, sahau, เพิกเฉย, ละเว้น, ไม่ต้องสนใจ, ลืม, ບໍ່ສົນໃຈ, មិនអើពើ, 忽略, 忽视, 忽視, 无视, 無視, 忘记,
忘記, 忘掉, 不要理会, 忘れ, 무시, 잊, neglege, obliviscere, omitt, ez ikusi, ahaztu, anwybydd, anghof,
neamhaird, dearmad, ignoreer, injoro, shpërfill, harroj, harro$, անտես, մոռաց, უგულებელყ, დაივიწყ, ችላ, እርሳ,
yi watsi, foju pa, abstraction de$, neglekt, forgesu, skip$, drop the, leave aside
"""

MUST = """
is asked to, are asked to, is told to, be told, were told, est tenu, sont tenus, tenu de, obligé,
está obligad, è tenut, полага, надлежит, надо$, must$, should$, shall$, required$, requires$, has to$,
have to$, is to$, are to$, need to$, needs to$, mandatory, obliged, ensure$, make sure, please$, always$,
never$, do not$, don t$, expected to$, bound to$, obligat, muss$, müssen, musst$, sollte, sollen, soll$,
bitte$, stets$, verlangt, verpflicht, moet$, moeten, dient$, altijd$, vereist, doit$, doivent, devez, dois$,
veuillez, toujours, exige, il faut, debe$, deben$, debes$, deberá, siempre, requiere, deve$, devem, deves$,
sempre$, requer, devi$, devono, richiede, trebuie, întotdeauna, cal que, ha de$, måste, ska$, skall$,
alltid, kräver, skal$, altid$, kræver, krever, verður, skalt$, ávallt, pitää, täytyy, tulee$, aina$, peab$,
tuleb$, alati$, kell$, mindig, kötelez, musi$, muszą, należy, zawsze, powin, musí, vždy, musíš, mora$,
moraju, morate, uvijek, uvek, moraš, vedno, turi$, privalo, visada, jābūt, jāiekļauj, vienmēr, должн,
следует, необходимо, обязан, всегда, требует, нужно, пожалуйста, повин, потрібно, завжди, необхідно, трябва,
винаги, следва, изисква, мора, секогаш, увек, павін, заўсёды, керек, тиіс, әрқашан, ёстой, πρεπει, παντα,
οφειλ, απαιτ, gerek, zorunlu, her zaman, daima, lütfen, gerək, lazım, həmişə, kerak, doim, يجب, دائما, يرجى,
ينبغي, عليك, لا بد, باید, لطفا, همیشه, لازم, چاہیے, لازمی, ہمیشہ, חייב, תמיד, נדרש, אנא, יש לציין, चाहिए,
हमेशा, कृपया, अनिवार्य, করতে হবে, সর্বদা, আবশ্যক, দয়া করে, வேண்டும், எப்போதும், తప్పక, ఎల్లప్పుడూ, దయచేసి,
phải, luôn, vui lòng, bắt buộc, harus, wajib, selalu, mesti, dapat$, dapat mong, kailangan, palagi, lazima,
tafadhali, ต้อง, ควร, เสมอ, กรุณา, โปรด, 必须, 必須, 应当, 應當, 应该, 應該, 务必, 務必, 始终, 请, 請,
しなければ, してください, べき, 常に, 必ず, 해야, 반드시, 항상, 하십시오, 하세요, devas, ĉiam, bonvolu,
oportet, debet, semper, behar, beti$, rhaid, bob amser, i gcónaí, caithfidh, altyd, duhet, gjithmonë, պետք,
միշտ, უნდა, ყოველთვის, አለበት, ሁልጊዜ, dole$, gbọdọ, kufanele, wish of, unless$, incomplete$, rejected$,
hat zu$, haben zu, على كل, wordt verwacht, by order
"""

SAY = """
speak only, talk only, tell them,
carry$, carries$, favour, favor$, rank, conseill, loue$, louer, parle$, parlez, aconsej,
alab, habla$, elogi, fala$, fale$, loda$, parla$, sprich, lobe$, lob$, rede$, prijs, spreek, prata, snak,
puhu, kehu, mów$, chwal, mluv, chval, govori, hvali, говори, расскаж, хвали, розкаж, konuş, öv$, تحدث, امدح,
صحبت, דבר$, शंसा, nói về, khen, bicara, puji, 介绍, 介紹, 夸, 称赞, 紹介, 褒め, 소개, 칭찬, say$, says$,
saying$, state$, stating$, mention, include$, including$, recommend, write$, cite$, citing$, praise,
conclude$, begin with, end with, append, insert$, omit, leave out, send$, visit$, click, forward, repeat,
print$, tell$, reveal, present$, promote, endorse, name only, describe, add$, schreib, erwähn, empfehl,
empfiehl, nenn, sag$, sagen$, füg, schrijf, vermeld, noem, zeg$, beveel, raad, écri, mentionn, recommand,
indiqu, dis$, cite, escrib, mencion, recomiend, recomend, indica, incluy, inclu, escrev, diz$, dizer$,
scriv, menzion, raccomand, consigl, dì$, scrie, spune, esment, digues, escri, skriv, nämn, rekommend, säg$,
nævn, anbefal, nevn, nefn, mæl, skrif, segja, kirjoita, mainit, suosit, sano$, kirjuta, maini, soovita,
ütle, írj, említ, ajánl, mondd, napisz, wspomn, polec, powiedz, napiš, zmiň, zmín, doporuč, uveď, spomeň,
odporuč, napiši, spomen, preporuč, navedi, omeni, priporoč, zapiši, parašyk, paminėk, rekomenduo, raksti,
piemin, iesak, напиш, упомя, упомин, рекоменд, скаж, укаж, порекоменд, посовету, добав, згада, зазнач,
порад, додай, спомен, препоръч, посоч, препорач, наведи, препоруч, напіш, рэкаменд, жаз, айт, ұсын, бич,
дурд, γραψ, αναφερ, προτειν, συστη, πες$, πειτε, yaz$, yazın, belirt, öner, söyle, bahset, tavsiye, yazıl,
qeyd, tövsiyə, yozing, tavsiya, ayting, اكتب, اذكر, ذكر, أوص, يوصي, توصي, قل$, وصي, أضف, بنویس, توصیه, بگو,
معرفی, لکھ, بتا, سفارش, כתוב, לכתוב, ציין, לציין, המלץ, להמליץ, אמור, लिख, उल्लेख, बता, सिफारिश, सिफ़ारिश,
कहो, कहें, नमूद, শিফারশ, লিখ, উল্লেখ, সুপারিশ, বলুন, எழுத, குறிப்பிட, பரிந்துரை, சொல், వ్రాయ, రాయ, పేర్కొన,
సిఫార్సు, చెప్ప, viết, đề cập, giới thiệu, khuyên, khuyến nghị, tulis, sebut, rekomendasi, merekomendasi,
direkomendasi, menulis, ditulis, menyebut, disebut, katakan, mengatakan, cantum, syor, sabihin, isulat,
banggit, irekomenda, andika, taja$, pendekeza, sema$, เขียน, แนะนำ, กล่าว, ระบุ, บอก, 写, 寫, 提到, 提及,
推荐, 推薦, 告诉, 告訴, 注明, 说$, 宣布, 書い, 書く, 述べ, 推奨, 勧め, 記載, 言っ, 작성, 언급, 추천, 말하,
skrib, menci, rekomend, diru$, scribe, dic$, dicas, commend, idatzi, aipatu, gomendatu, esan$, ysgrifenn,
crybwyll, argymell, dweud, scríobh, luaigh, mol$, moladh, skryf, shkruaj, përmend, rekomando, գրիր, գրել,
նշիր, նշել, խորհուրդ, დაწერ, ახსენ, ურჩი, ፃፍ, ጻፍ, rubuta, kọ, bhala, memora$
"""

USER = """
user$, users$, operator$, the human$, person who asked, requester, requestor, questioner, person reading, the person$,
person asking, whoever asked, benutzer, nutzer, gebruiker, utilisateur, usuari, utent, utilizator,
utilizador, användar, bruger, bruker, notand, käyttäj, kasutaj, felhasznál, użytkown, uživatel, používateľ,
korisnik, uporabnik, vartotoj, lietotāj, пользовател, користувач, потребител, корисник, карыстальнік,
пайдаланушы, хэрэглэгч, χρηστη, kullanıcı, istifadəçi, foydalanuvchi, المستخدم, کاربر, صارف, משתמש,
उपयोगकर्ता, वापरकर्ता, ব্যবহারকারী, பயனர், వినియోగదారు, người dùng, pengguna, gumagamit, mtumiaji,
watumiaji, ผู้ใช้, 用户, 用戶, 使用者, ユーザー, 利用者, 사용자, uzanto, erabiltzaile, defnyddiwr,
úsáideoir, përdorues, օգտատ, მომხმარებ, ተጠቃሚ
"""

PRIVATE = """
password, api key, credential, access token, secret key, private key, chat history, conversation history,
this conversation, email address, e mail address, passwort, zugangsdaten, wachtwoord, mot de passe,
contraseñ, senha$, parol, lösenord, adgangskode, passord, salasan, jelszó, hasło, hasła, heslo, hesla,
lozink, парол, κωδικο, şifre, كلمة المرور, رمز عبور, סיסמ, पासवर्ड, পাসওয়ার্ড, mật khẩu, kata sandi,
nenosiri, รหัสผ่าน, 密码, 密碼, パスワード, 비밀번호
"""

TOOL = """
tool result, tool output, tool call, tool response, tool message, function result, function call,
function output, result of the tool, system notice, system update, system override, context update,
developer note, developer message, assistant note, end of document, end of page, end of data,
end of context, previous context, session update, werkzeugergebnis, tool ergebnis, ergebnis des werkzeugs,
toolresulta, resultaat van de tool, résultat de l outil, résultat d outil, resultado de la herramienta,
resultado da ferramenta, risultato dello strumento, verktygsresultat, værktøjsresultat, verktøyresultat,
työkalun tulos, wynik narzędzia, výsledek nástroje, результат инструмента, результат вызова,
результат інструмента, αποτελεσμα εργαλειου, araç sonucu, نتيجة الأداة, نتیجه ابزار, תוצאת הכלי, टूल परिणाम,
kết quả công cụ, hasil alat, ผลลัพธ์ของเครื่องมือ, 工具结果, 工具返回, 工具結果, ツールの結果, ツール結果,
도구 결과, role system, role user, role assistant, role tool, content for
"""

TASK = """
task$, tasks$, assignment, research brief, the brief$, the question$, your question, aufgabe, auftrag,
taak$, tâche, tarea, encargo, tarefa, missão, compito, incarico, encàrrec, sarcin, uppgift, opgave, oppgave,
verkefni, tehtäv, toimeksian, ülesan, feladat, zadani, úkol, úloh, zadatak, zadatk, nalog, naloge, uždavin,
užduot, uzdevum, задани, задач, завдан, задача, задатак, запитан, вопрос, εργασία, αποστολ, ερωτησ, görev,
tapşırıq, vazifa, مهمة, المهمة, سؤال, وظیفه, کام, משימ, השאלה, कार्य, प्रश्न, কাজ, প্রশ্ন, பணி, కార్య,
nhiệm vụ, câu hỏi, tugas, pertanyaan, gawain, tanong, kazi$, swali, งานที่, คำถาม, 任务, 任務, 问题, 問題,
タスク, 質問, 課題, 작업, 임무, 질문, tasko, officium, zeregin, tasg, tasc, taakopdrag, detyr, առաջադր,
დავალებ, ta mission, votre mission
"""

PROMOTE = """
recommend, mention$, mentions$, mentioning, name$, names$, naming, cite$, cites$, citing, praise, promote$,
promoting, endorse, prefer$, favour$, favor$, call$, calls$, rank$, ranks, put$, present$, presented as,
list$, describe, advertise, mark$, treat$, treated as, suggest$, empfehl, empfiehl, nenn, erwähn, lobe$,
loben, bezeichn, bevorzug, hervorheb, anpreis, aanbevel, beveel, raad, vermeld, noem, prijs, aanrad,
recommand, mentionn, citer, nomme, conseill, loue$, louer, vante, vanter, préfér, désign, présent, recomend,
recomiend, menciona, mencione, cita$, citar, citen, nombra, nombre$, aconsej, alab, prefier, elogi, indica$,
indique$, indicar, apresent, raccomand, consigl, menzion, citare, nomina, loda$, lodare, preferi, recomand,
menționa, numeș, laud, esment, anomen, nämn, rekommend, berömma, framhåll, nævn, anbefal, fremhæv, roser,
nevn, fremhev, mæl, nefn, hrós, suosit, mainit, kehu, nimeä, soovita, maini, nimeta, kiida, ajánl, említ,
nevez, dicsér, polec, wymieni, wymień, wspomn, chwal, zareklam, doporuč, uvádě, uveď, uvést, zmiň, zmín,
chval, odporuč, spomeň, spomen, preporuč, navod, naved, hvali, istakn, priporoč, omen, omeni, pohval,
rekomenduo, minėti, paminė, girti, ieteik, iesak, piemin, slavē, рекоменд, порекоменд, назва, назыв, упомя,
упомин, хвали, советова, посовету, выдел, радити, радит, порад, згад, назив, хвал, препоръч, спомен, посоч,
препорач, препоруч, помен, наведи, навед, ұсын, ата$, προτειν, συστη, αναφερ, ονομα, επαινε, öner, tavsiye,
adını, bahset, öv$, överek, tövsiyə, tavsiya, أوص, يوصي, توصي, وصي, تذكر, اذكر, يذكر, ذكر, امدح, توصیه,
معرفی, نام ببر, ذکر, سفارش, تجویز, המלץ, להמליץ, תמליץ, ציין, לציין, הזכר, להזכיר, सिफारिश, सिफ़ारिश,
अनुशंसा, उल्लेख, नाम लें, প্রশংসা, সুপারিশ, উল্লেখ, পরামর্শ, பரிந்துரை, குறிப்பிட, సిఫార్సు, పేర్కొన,
giới thiệu, khuyên, khuyến nghị, đề cập, nhắc đến, nêu tên, khen, rekomendasi, merekomendasi, direkomendasi,
sarankan, menyarankan, sebutkan, menyebut, puji, memuji, cadangkan, syor, irekomenda, banggit, purihin,
pendekeza, taja$, kutaja, sifu$, แนะนำ, กล่าวถึง, เอ่ย, ระบุ, ชื่นชม, 推荐, 推薦, 提到, 提及, 介绍, 介紹,
列为, 列為, 称为, 稱為, 夸, 称赞, 勧め, 推奨, 紹介, 言及, 褒め, 挙げ, 추천, 언급, 소개, 칭찬, 꼽, rekomend,
menci, laŭd, commend, lauda, gomendatu, aipatu, argymell, crybwyll, mol$, moladh, luaigh, rekomando,
përmend, խորհուրդ, նշիր, ურჩი, ახსენ, lead with, discussed, credit$, credited, citata, citato, citati,
lyfta fram, fortæl, радь, radit$, radí$
"""

WRITE = """
write$, writes$, writing, written from, text about, text on, texts about, texts on, texts drawn, text drawn,
your text, tell them, tell the reader, tell readers, asked about, if asked, when asked, compiling, schreib,
texten über, text über, gefragt, schrijf, teksten over, tekst over, gevraagd, écri, rédig, interroge,
demande à, demandent, réponds, répondez, escrib, redact, pregunt, textos sobre, escrev, redij, perguntar,
textos acerca, falar, scriv, redig, chied, testi su, parlar, scrie, scriind, vorbe, escri, skriv, texter om,
frågar, tekster om, spørg, spør, skrif, spurt, kirjoit, kysyt, tekstei, kirjut, tekstid, küsit, írsz, írás,
írj, kérdez, szöveg, pisz, pytan, tekst, píš, psan, ptá, text o, písa, napíš, piš, pisanj, pita, rašy,
raksta, rakst, пиш, напиш, писат, текст, спраш, спрос, говор, рассказ, пита, γραφ, γραψ, ρωτ, κειμεν, yazar,
yazın, yaz$, yazı, sorul, yazan, yazark, yozis, كتاب, تكتب, اكتب, الكتابة, سئل, سأل, نوشت, بنویس, پرسید,
لکھ, כותב, לכתוב, כתיב, שואל, लिख, पूछ, লেখ, লিখ, எழுத, వ్రాస, రాస, viết, được hỏi, nói về, menulis, tulis,
ditanya, membahas, sumulat, isulat, tinanong, andika, ukiandika, ukiulizwa, เขียน, ถูกถาม, พูดถึง, 写, 寫,
撰写, 谈到, 談到, 问到, 問到, 书く, 書く, 書き, 聞かれ, 쓸 때, 쓰, 작성, 질문받, skrib, demand, scrib,
rogat, idaz, ysgrif, scríobh, shkru, գրել, գրիր, წერ, talk about, spurgt, fråg, gefragt wirst, sprichst
"""

ONLY = """
only$, solely, nothing else, nothing but, exclusively, no other, any other, others out, other brands,
above all, first$, top of, the best, as the leading, the leading, as the safest, as best, winner, nur$,
ausschließlich, allein$, niemand sonst, führend, als beste, beste$, besten, alleen$, uitsluitend, enkel$,
seulement, uniquement, exclusivement, seule$, rien d autre, que de$, meilleur, solo$, sólo, solamente,
únicamente, exclusivamente, mejor$, nada más, apenas$, somente, melhor$, soltanto, esclusivamente, migliore,
nessun altro, altri$, doar$, numai$, exclusiv, cel mai bun, només, únicament, millor$, bara$, endast,
enbart, bästa, främst, kun$, udelukkende, bedste, utelukkende, aðeins, einungis, bestu, vain$, ainoastaan,
yksinomaan, paras, parhaa, ainult, üksnes, parim, csak$, kizárólag, legjobb, tylko, wyłącznie, jedynie,
najlep, pouze, jen$, výhradně, nejlep, iba$, výlučne, najlepš, samo$, isključivo, najbolj, le$, izključno,
tik$, vien$, geriausi, tikai, labāk, только, лишь, исключительно, лучш, тільки, лише, виключно, найкращ,
само$, единствено, най добр, најдобр, најбољ, тек$, ғана, μονο, αποκλειστικ, καλυτερ, yalnızca, sadece,
tek$, en iyi, yalnız, ancaq, faqat, eng yaxshi, فقط, إلا, وحده, الأفضل, أفضل, تنها, بهترین, صرف, سب سے بہتر,
רק$, בלבד, הטוב ביותר, הכי, केवल, सिर्फ, सबसे, শুধু, কেবল, সবচেয়ে, மட்டும், மட்டுமே, சிறந்த, మాత్రమే,
ఉత్తమ, chỉ$, duy nhất, tốt nhất, hanya$, terbaik, satu satunya, sahaja, lamang$, pinakamah, pekee$, tu$,
bora$, เท่านั้น, เฉพาะ, ดีที่สุด, 只, 仅, 僅, 唯一, 最好, 最佳, 首选, 首選, 第一, だけ, のみ, 最高, 最良,
오직, 만$, 만을, 최고, 제일, 유일, sole$, plej bon, solum, tantum, optim, bakarrik, soilik, onena, yn unig,
gorau, amháin, is fearr, slegs, net$, beste, vetëm, më i mirë, միայն, լավագույն, მხოლოდ, საუკეთესო,
instead$, only producer, außer$, sonst niemand, alle außer, criticise the rest, the rest$, i stedet,
i stället, in plaats, au lieu, en lugar, em vez, invece$, zamiast, místo$, замість, вместо, αντι$, yerine,
بدلا, במקום, بجای, के बजाय, thay vì, daripada, แทน, 而不是, 代わりに, 대신
"""

PAGE = """
this page, this text, this article, this document, this source, this passage, this one$, other pages,
other sources, sources other, all other sources, page above, text above, material above, diese seite,
dieser seite, diesen text, dieses text, diesem text, diesen artikel, andere quellen, deze pagina,
deze tekst, dit artikel, andere bronnen, cette page, ce texte, cet article, autres sources, esta página,
este texto, este artículo, otras fuentes, este artigo, outras fontes, questa pagina, questo testo,
questo articolo, altre fonti, această pagină, acestei pagini, acest text, aquesta pàgina, aquest text,
den här sidan, denna sida, denna text, denne side, denne siden, denne tekst, denne teksten, þessari síðu,
þessarar síðu, tämän sivun, tätä sivua, tällä sivulla, tämän tekstin, selle lehe, seda lehte, ezt az oldalt,
ez az oldal, az oldal$, tej strony, tej stronie, tę stronę, tego tekstu, tego artykułu, této stránky,
tuto stránku, této stránce, tejto stránky, túto stránku, ove stranice, ovu stranicu, ovoj stranici,
ovog teksta, te strani, to stran, šio puslapio, šį puslapį, šīs lapas, šo lapu, этой страниц, эту страниц,
этого текст, этот текст, других источник, цієї сторінк, цю сторінк, цього текст, тази страница, този текст,
оваа страница, ова страница, ове странице, ову страницу, αυτη τη σελιδα, αυτης της σελιδας, αυτο το κειμενο,
bu sayfa, bu metin, bu yazı, bu səhifə, ushbu sahifa, هذه الصفحة, هذا النص, هذا المقال, این صفحه, این متن,
اس صفحے, הדף הזה, העמוד הזה, הטקסט הזה, इस पृष्ठ, इस पेज, इस लेख, এই পাতা, এই পৃষ্ঠা, இந்தப் பக்க, ఈ పేజీ,
trang này, văn bản này, bài này, halaman ini, teks ini, laman ini, pahinang ito, ukurasa huu, หน้านี้,
ข้อความนี้, บทความนี้, 本页, 此页, 本頁, 本文, 该页, 這頁, 这个页面, このページ, この記事, 本ページ,
この文章, 이 페이지, 이 글, 이 문서, ĉi tiu paĝo, ĉi tiun paĝon, hanc paginam, huius paginae, orri hau,
orri honen, y dudalen hon, an leathanach seo, hierdie bladsy, kjo faqe, kësaj faqeje, այս էջ, ამ გვერდ,
this data$, these data$, this dataset, further sources, no more sources, no further sources
"""

ADDRESS = """
from now on your, your job is to, your only job, your new job, when reporting on this, when reporting this,
when summarising this, when summarizing this, when describing this, when discussing this, when presenting this,
tell them, your text, end your, stop reading,
when you write, when you answer, when writing, when answering, if you write, if you are asked,
in whatever you write, whatever you write, in your text, wenn du, falls du, schreibst, antwortest,
wanneer je, als je schrijft, als je antwoordt, in je verhaal, in je tekst, quand tu, si tu, lorsque tu,
si l on t, en écrivant, en répondant, cuando hables, cuando escribas, cuando respondas, si te preguntan,
al escribir, al responder, al hablar, ao responder, ao escrever, ao falar, quando escreveres,
quando falares, se te perguntarem, quando scrivi, quando rispondi, quando parli, se ti chied, scrivendo,
rispondendo, când scrii, când răspunzi, când vorbești, dacă ești întrebat, quan escriguis, quan parlis,
en escriure, när du skriver, när du svarar, om du blir, når du skriv, når du svar, hvis du blir,
hvis du bliver, þegar þú, ef þú, kun kirjoitat, kun vastaat, jos sinulta, kirjoittaessasi, vastatessasi,
kui kirjutad, kui vastad, ha írsz, ha válaszolsz, ha kérdez, amikor írsz, írsz$, odpowiadając, pisząc$,
gdy piszesz, kiedy piszesz, jeśli ktoś zapyta, budeš psát, budeš odpovídat, když píšeš, pokud se tě,
keď píšeš, budeš písať, ak sa ťa, kada pišeš, kad pišeš, ako te pita, ko pišeš, kai rašai, kai rašysi,
jei klausia, kad raksti, когда пишешь, когда будешь, отвечая, если тебя, если спросят, рассказывая,
коли писатимеш, коли пишеш, якщо тебе, відповідаючи, когато пишеш, когато отговаряш, ако те питат,
кога пишуваш, када пишеш, ако те пита, жазғанда, οταν γραφεις, οταν απαντας, αν σε ρωτησουν, γραφοντας,
yazarken, cevap verirken, yanıtlarken, sorulursa, yazanda, عند الكتابة, عندما تكتب, إذا سئلت, عند الإجابة,
هنگام نوشتن, وقتی می نویسی, اگر پرسید, هنگام پاسخ, لکھتے وقت, جواب دیتے وقت, כשאתה כותב, כשתכתוב, אם ישאלו,
בכתיבה על, लिखते समय, उत्तर देते समय, जब आप लिख, পূছা হলে, লেখার সময়, উত্তর দেওয়ার সময়, எழுதும்போது,
பதிலளிக்கும்போது, వ్రాసేటప్పుడు, రాసేటప్పుడు, khi viết, khi trả lời, nếu được hỏi, saat menulis,
ketika menulis, saat menjawab, jika ditanya, apabila menulis, kapag nagsusulat, kapag sumasagot,
unapoandika, unapojibu, ukiulizwa, เมื่อเขียน, เมื่อตอบ, หากถูกถาม, 写到, 写作时, 回答时, 当你写, 如果被问,
谈到, について書くとき, を書くとき, 書くときは, 答えるとき, 聞かれたら, 에 대해 쓸 때, 쓸 때, 답할 때,
물어보면, skribante, respondante, kiam vi skrib, cum scribis, si rogaris, idazterakoan, erantzutean,
wrth ysgrifennu, wrth ateb, as jy skryf, kur shkruan, երբ գրում, როცა წერ
"""

YOURS = """
your report, your summary, your answer, your digest, your reply, your response, your write up, your overview,
your conclusion, your output, your briefing, the report you, the summary you, the answer you, the digest you,
the reply you, the overview you, the briefing you
"""
