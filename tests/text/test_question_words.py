"""Of which language a short question is, although half of its words are English or names."""

import pytest

from deepresearch_mcp.text.language import guess

_ASKED = {
    "de": (
        "Wie behandelt SQLite gleichzeitige Schreibzugriffe?",
        "Wie macht man in Git einen Commit rückgängig?",
        "Wie funktioniert der Query Planner von PostgreSQL?",
        "Wie funktioniert VACUUM?",
        "Welche Isolation Level kennt PostgreSQL?",
        "Warum wird mein Docker Container beendet?",
        "Wie alt wird ein Hund?",
    ),
    "nl": (
        "Hoe werkt een index in SQLite?",
        "Wie heeft Python bedacht?",
        "Hoe maak ik een commit ongedaan in Git?",
        "Wat doet VACUUM in SQLite?",
        "Welke database is het snelst?",
        "Waarom wordt mijn container gestopt?",
        "Wie is de uitvinder van Linux?",
    ),
    "fr": (
        "Comment fonctionne le rebase dans Git ?",
        "Que fait VACUUM dans SQLite ?",
        "Quels sont les niveaux d'isolation de PostgreSQL ?",
        "Pourquoi le garbage collector ralentit Python ?",
        "Comment annuler un commit ?",
    ),
    "es": (
        "¿Qué hace VACUUM en SQLite?",
        "Como funciona el garbage collector de Python?",
        "Cuales son los niveles de aislamiento de PostgreSQL?",
        "Por que falla mi commit?",
        "¿Cuándo salió Django 3.2?",
    ),
    "it": (
        "Come funziona il rebase in Git?",
        "Che cosa fa VACUUM in SQLite?",
        "Quali sono i livelli di isolamento di PostgreSQL?",
        "Perché il mio commit fallisce?",
        "Come si annulla un commit?",
    ),
    "pt": (
        "Como funciona o rebase no Git?",
        "O que faz o VACUUM no SQLite?",
        "Quais são os níveis de isolamento do PostgreSQL?",
        "Como desfazer um commit?",
        "Por que o meu container termina?",
    ),
    "sv": (
        "Hur fungerar ett index i SQLite?",
        "Vad gör VACUUM i SQLite?",
        "Varför är min query så långsam?",
        "Vilka isolation levels har PostgreSQL?",
        "Hur ångrar jag en commit?",
    ),
    "da": (
        "Hvordan virker et index i SQLite?",
        "Hvad gør VACUUM i SQLite?",
        "Hvorfor er min forespørgsel så langsom?",
        "Hvad betyder isolation level i PostgreSQL?",
        "Hvordan fortryder jeg et commit?",
    ),
    "no": (
        "Hvordan fungerer en indeks i SQLite?",
        "Hva gjør VACUUM i SQLite?",
        "Hvorfor er spørringen så treg?",
        "Hva betyr isolation level i PostgreSQL?",
        "Hvordan angrer jeg en commit?",
    ),
    "fi": (
        "Miten indeksi toimii SQLitessa?",
        "Mitä VACUUM tekee?",
        "Miksi kyselyni on hidas?",
        "Mikä on commit?",
        "Kuinka peruutan commitin Gitissä?",
    ),
    "pl": (
        "Jak działa indeks w SQLite?",
        "Co robi VACUUM w SQLite?",
        "Dlaczego moje query jest wolne?",
        "Jakie poziomy izolacji ma PostgreSQL?",
        "Jak cofnąć commit w Git?",
    ),
    "cs": (
        "Jak funguje index v SQLite?",
        "Co dělá VACUUM v SQLite?",
        "Proč je můj dotaz pomalý?",
        "Jaké úrovně izolace má PostgreSQL?",
        "Jak vrátit commit v Gitu?",
    ),
    "sk": (
        "Ako funguje index v SQLite?",
        "Čo robí VACUUM v SQLite?",
        "Prečo je môj dotaz pomalý?",
        "Aké úrovne izolácie má PostgreSQL?",
        "Ako vrátiť commit v Gite?",
    ),
    "hr": (
        "Kako radi indeks u SQLite bazi?",
        "Što radi VACUUM u SQLite?",
        "Zašto je moj upit spor?",
        "Koje razine izolacije ima PostgreSQL?",
        "Kako poništiti commit u Gitu?",
    ),
    "sl": (
        "Kako deluje indeks v SQLite?",
        "Kaj naredi VACUUM v SQLite?",
        "Zakaj je moja poizvedba počasna?",
        "Katere ravni izolacije ima PostgreSQL?",
        "Kako razveljavim commit v Gitu?",
    ),
    "ro": (
        "Cum funcționează un index în SQLite?",
        "Ce face VACUUM în SQLite?",
        "De ce este query-ul meu lent?",
        "Care sunt nivelurile de izolare din PostgreSQL?",
        "Cum anulez un commit în Git?",
    ),
    "hu": (
        "Hogyan működik egy index az SQLite-ban?",
        "Mit csinál a VACUUM?",
        "Miért lassú a lekérdezésem?",
        "Milyen isolation level van a PostgreSQL-ben?",
        "Hogyan vonhatok vissza egy commitot?",
    ),
    "tr": (
        "SQLite'ta index nasıl çalışır?",
        "VACUUM ne yapar?",
        "Sorgum neden yavaş?",
        "PostgreSQL hangi isolation level kullanır?",
        "Git'te bir commit nasıl geri alınır?",
    ),
    "id": (
        "Bagaimana cara kerja index di SQLite?",
        "Apa yang dilakukan VACUUM?",
        "Mengapa query saya lambat?",
        "Bagaimana membatalkan commit di Git?",
        "Apa saja isolation level PostgreSQL?",
    ),
    "vi": (
        "Chỉ mục trong SQLite hoạt động như thế nào?",
        "VACUUM làm gì trong SQLite?",
        "Tại sao query chậm?",
        "Làm thế nào để hoàn tác commit?",
    ),
    "lt": (
        "Kaip veikia indeksas SQLite duomenų bazėje?",
        "Ką daro VACUUM?",
        "Kodėl mano užklausa lėta?",
        "Kaip atšaukti commit?",
    ),
    "lv": (
        "Kā darbojas indekss SQLite?",
        "Ko dara VACUUM?",
        "Kāpēc mans vaicājums ir lēns?",
        "Kā atsaukt commit?",
    ),
    "sw": (
        "Je, index inafanyaje kazi katika SQLite?",
        "VACUUM hufanya nini katika SQLite?",
        "Kwa nini query ni polepole?",
        "Jinsi ya kufuta commit katika Git?",
    ),
    "en": (
        "How does PostgreSQL handle concurrent writers?",
        "What does VACUUM do?",
        "Who invented Linux?",
        "Which isolation levels exist?",
        "Why is my query slow?",
        "Die Hard: who is the villain?",
        "What is a Gestalt?",
        "How to kill a zombie process in Linux",
    ),
}


@pytest.mark.parametrize(("language", "question"), [(code, one) for code, own in _ASKED.items() for one in own])
def test_a_short_question_is_of_the_language_it_is_asked_in(language: str, question: str) -> None:
    assert guess(question) == language
