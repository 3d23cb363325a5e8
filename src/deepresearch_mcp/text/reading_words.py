"""Words for what a page has no reason to speak of: its machine reader, the answer it writes, what it was told to do.

Beginnings of words by notion, in some sixty languages, parted by commas; `$` ends a whole word. Written without regard
to case and accents, which are taken away before words are compared.
"""

MACHINE = """
ai$, a i$, prompt injection, jailbreak, ais$, llm, gpt, chatgpt, claude$, gemini$, copilot$, assistant,
chatbot, chat bot, bot$, bots$, language model, artificial intelligence, summariser, summarizer,
machine reader, automated reader, automated system, automated agent, ai agent, crawler, research agent,
reading agent, whoever summari, whoever compil, whoever writes, whoever reads, whoever passes,
those who pass, who pass this on, whoever uses this, anyone summari, generative model, ki$, kis$,
sprachmodell, assistent, künstliche intelligenz, künstlichen intelligenz, taalmodel, kunstmatige, ia$, ias$,
modèle de langage, modèles de langage, intelligence artificielle, modelo de leng, modelos de leng, asistent,
modelo de ling, modelos de ling, assistente, inteligencia artificial, inteligência artificial,
modello linguistic, modelli linguistic, intelligenza artificiale, model de limbaj, inteligență artificial,
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
answer, answers$, response$, responses$, reply, replies$, summary, summaries, summari, digest$, output$,
outputs$, write up, report$, reports$, conclusion$, antwort, zusammenfass, bericht, ausgabe$, fazit,
antwoord, samenvat, verslag, rapport, réponse, synthèse, respuesta, resumen, informe$, informes$, resposta,
resumo, relatório, risposta, rispost, riassunt, relazione$, sintesi$, resum$, răspuns, rezumat, raport,
svar$, svaret, svaren$, sammanfatt, sammenfat, opsummer, oppsummer, sammendrag, samantekt, skýrsl,
vastaukse, vastaus, vastauks, tiivistelm, yhteenve, vastus, vastuse, kokkuvõt, aruan, válasz, összefoglal,
jelentés, odpowied, podsumowani, streszcz, odpověď, odpověd, shrnut, souhrn, odpoveď, zhrnut, odgovor,
sažet, sažetak, izvješ, izvešt, povzet, poročil, atsakym, santrauk, ataskait, atbild, kopsavilk, ziņojum,
ответ, сводк, изложени, пересказ, резюме, отчёт, обзор, відповід, підсум, звіт, отговор, обобщен, доклад,
одговор, извешта, преглед, адказ, справаздач, жауап, қорытынды, есеп, хариулт, тайлан, απαντησ, περιληψ,
αναφορα, εκθεση, σύνοψ, yanıt, cevap, cevab, özet, raporu, cavab, xülas, hesabat, javob, xulosa, hisobot,
الإجابة, إجابت, إجابة, الرد, ردك, ملخص, التقرير, تقرير, الجواب, جواب, پاسخ, خلاصه, گزارش, خلاصہ, رپورٹ,
תשוב, סיכומ, סיכום, דוח, דו״ח, תקציר, उत्तर, जवाब, सारांश, रिपोर्ट, উত্তর, সারাংশ, সারসংক্ষেপ, প্রতিবেদন,
பதில், சுருக்க, அறிக்கை, సమాధాన, సారాంశ, నివేదిక, ಉತ್ತರ, ಸಾರಾಂಶ, ഉത്തര, സംഗ്രഹ, જવાબ, સારાંશ, ਜਵਾਬ, ਸਾਰ,
अहवाल, câu trả lời, trả lời, tóm tắt, báo cáo, jawaban, jawapan, ringkasan, laporan, rangkuman, sagot, buod,
ulat, jibu, majibu, muhtasari, ripoti, คำตอบ, สรุป, รายงาน, ຄຳຕອບ, ចម្លើយ, 回答, 答案, 回复, 回覆, 答复,
答覆, 摘要, 总结, 總結, 报告, 報告, 输出, 輸出, 要約, 答え, レポート, 답변, 요약, 보고서, 응답, resumo$,
responsum, responso, erantzun, laburpen, txosten, ateb, crynodeb, adroddiad, freagra, achoimre, tuarascáil,
opsomming, përgjigj, përmbledhj, պատասխան, ամփոփ, պասուխ, პასუხ, შეჯამებ, ანგარიშ, መልስ, ማጠቃለያ, amsa, idahun,
impendulo, résumé$, résumés$, résumer, relatione, respondo$, respondon$, respondu, respondoj
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
yi watsi, foju pa, abstraction de$, neglekt, forgesu
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
միշտ, უნდა, ყოველთვის, አለበት, ሁልጊዜ, dole$, gbọdọ, kufanele
"""

SAY = """
speak only, talk only, tell them, favour, favor$, rank, conseill, loue$, louer, parle$, parlez, aconsej,
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
user$, users$, operator$, the human$, person who asked, requester, requestor, questioner, person reading,
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
도구 결과
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
