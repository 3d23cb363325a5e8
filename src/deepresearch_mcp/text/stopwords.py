"""Stopwords: words too common to carry meaning by themselves."""


def word_set(text: str) -> frozenset[str]:
    """Return the words of a string that separates them by blanks."""
    return frozenset(text.split())


STOPWORDS: dict[str, frozenset[str]] = {
    "en": word_set(
        "a about above after again against all also am an and any are aren't as at be because been before being "
        "below between both but by can can't cannot could couldn't did didn't do does doesn't doing don't down "
        "during each either else ever every few for from further get gets had hadn't has hasn't have haven't "
        "having he he's her here hers herself him himself his how however i i'm if in into is isn't it it's its "
        "itself just let's may me might more most much must my myself neither no nor not now of off on once only "
        "or other our ours ourselves out over own per quite rather really same shall she should shouldn't since so "
        "some still such than that that's the their theirs them themselves then there there's these they they're "
        "this those though through thus to too under until up upon us very via was wasn't we we're well were "
        "weren't what what's when where whether which while who who's whom whose why will with within without "
        "won't would wouldn't yet you you're your yours yourself"
    ),
    "de": word_set(
        "aber alle allem allen aller alles als also am an ander andere anderen auch auf aus bei beim bin bis bist "
        "da damit dann das dass dazu dein dem den denn der des dessen deren die dies diese diesem diesen "
        "dieser dieses doch dort du durch ein eine einem einen einer eines er es etwas euch euer für gegen gibt "
        "hat hatte hatten habe haben hier hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in indem ins ist "
        "ja jede jedem jeden jeder jedes jener jetzt kann kein keine keinem keinen keiner können könnte man mehr "
        "mein mich mir mit muss müssen nach nicht nichts noch nun nur ob oder ohne schon sehr sein seine seinem "
        "seinen seiner seit sich sie sind so solche soll sollte sondern sonst sowie über um und uns unser unter "
        "viel vom von vor war waren warum was weg weil welche welchem welchen welcher welches wenn wer werden "
        "werde wie wieder will wir wird wirst wo wollen wurde wurden während würde zu zum zur zwar zwischen"
    ),
    "fr": word_set(
        "a ai ainsi alors après au aucun aussi autre aux avait avant avec avoir c ce ceci cela celle celui ces cet "
        "cette ceux chaque ci comme comment d dans de depuis des deux donc dont du elle elles en encore entre est "
        "et étaient était été être eu eux fait font il ils j je jusqu l la là le les leur leurs lui m ma mais me "
        "même mes moi moins mon n ne ni non nos notre nous on ont ou où par parce pas pendant peu peut plus pour "
        "pourquoi qu quand que quel quelle quelles quels qui quoi s sa sans se selon sera ses si son sont sous sur "
        "t ta te tes toi ton tous tout toute toutes très tu un une va vers vos votre vous y"
    ),
    "es": word_set(
        "a al algo algunas algunos ante antes como con contra cual cuál cuando cuándo de del desde donde dónde "
        "durante e el él ella ellas ellos en entre era eran es esa esas ese eso esos esta está están estaba estado "
        "estar estas este esto estos fue fueron ha había habían han hasta hay la las le les lo los más me mi mis "
        "mucho muchos muy nada ni no nos nosotros nuestra nuestro o os otra otras otro otros para pero poco por "
        "porque pues que qué quien quién se sea según ser si sí sido sin sobre solo son su sus también tanto te "
        "tiene tienen todo todos tu tus un una unas uno unos y ya yo"
    ),
    "it": word_set(
        "a abbiamo ad ai al alla alle allo altri altro anche ancora avere aveva c che chi ci come con contro cosa "
        "cui d da dagli dai dal dalla dalle dallo degli dei del della delle dello di dopo dove due e è ed era "
        "erano essere fa fino fra già gli ha hanno ho i il in io l la le lei li lo loro lui ma mai me mi mia mio "
        "molto ne negli nei nel nella nelle nello noi non nostra nostro o ogni per perché però più poi può quale "
        "quali quando quanto quella quelle quelli quello questa queste questi questo qui se sei senza si sia siamo "
        "sono sopra sotto sta stata stati stato su sua sue sugli sui sul sulla sulle suo suoi tra tu tutti tutto "
        "un una uno vi voi"
    ),
    "pt": word_set(
        "a ao aos aquela aquele aquilo as às até com como da das de dela dele deles depois do dos e é ela elas ele "
        "eles em entre era eram essa esse esta está estão estas estava este estes eu foi foram há isso isto já la "
        "lhe lo mais mas me mesmo meu minha muito muitos na não nas nem no nos nós nossa nosso num numa o onde os "
        "ou para pela pelas pelo pelos por porque qual quando que quem são se seja sem ser será seu seus só sobre "
        "sua suas também te tem têm tinha todo todos tu um uma umas uns você vocês"
    ),
    "nl": word_set(
        "aan al alles als altijd andere bij binnen daar dan dat de der deze die dit doch doen door dus een eens "
        "elk en er ge geen geweest haar had hadden heb hebben heeft hem het hier hij hoe hun iemand iets ik in is "
        "ja je kan kon kunnen maar me meer men met mij mijn moet moeten na naar niet niets nog nu of om omdat ons "
        "onze ook op over reeds sinds te tegen toch toen tot tussen u uit uw van veel voor want waren was wat we "
        "wel werd werden wezen wie wij wil worden wordt zal ze zei zelf zich zij zijn zo zonder zou zouden"
    ),
}
"""ISO 639-1 code → stopwords, casefolded, with a plain apostrophe."""
