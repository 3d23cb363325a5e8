"""Claims with sentences that a writer could make of them: honest wordings, and the same with one false clause.

The rules were adjusted on all cases but the last two, which were written afterwards. Each case: a
page, its claims (quote and claim
text), wordings that the page carries, and wordings with one thing in them that it does not.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Case:
    """One page and what may, and may not, be said of it."""

    title: str
    text: str
    claims: tuple[tuple[str, str], ...]
    """Quote, and the claim made of it."""
    true: tuple[str, ...]
    false: tuple[str, ...]


CASES = (
    Case(
        "Lake Orrin",
        "Lake Orrin covers 212 square kilometres in the northern uplands. It freezes over in most winters, and the ice"
        " is thick enough for lorries by late January. Trout were introduced to the lake in 1911. The water level is"
        " controlled by a dam at the outflow.",
        (
            ("covers 212 square kilometres in the northern uplands", "Lake Orrin covers 212 square kilometres."),
            (
                "It freezes over in most winters, and the ice is thick enough for lorries by late January",
                "In most winters Lake Orrin freezes, and by late January its ice carries lorries.",
            ),
            ("Trout were introduced to the lake in 1911", "Trout were introduced to Lake Orrin in 1911."),
        ),
        (
            "Lake Orrin, in the northern uplands, has an area of 212 square kilometres.",
            "In most winters the lake freezes over, and by late January lorries can drive on the ice.",
            "Trout have lived in Lake Orrin since they were introduced in 1911.",
            "A dam at the outflow controls the water level of Lake Orrin.",
        ),
        (
            "Lake Orrin covers 212 square kilometres, making it the largest lake in the northern uplands.",
            "In most winters Lake Orrin freezes, and skating championships attract thousands of visitors.",
            "Trout were introduced to Lake Orrin in 1911 because native fish had died out.",
            "Lake Orrin freezes in every winter, and by late January its ice carries lorries.",
            "Trout were introduced to Lake Orrin in 1911, which led to a collapse of the perch.",
        ),
    ),
    Case(
        "Release notes of Pebble 4.2",
        "Pebble 4.2 replaces the old parser with a table-driven one. Start-up is about 30 percent faster on the"
        " project's own benchmarks. Plugins written for version 3 no longer load. The configuration format is "
        "unchanged."
        " Windows builds are still experimental.",
        (
            (
                "Pebble 4.2 replaces the old parser with a table-driven one",
                "Pebble 4.2 replaces the old parser with a table-driven one.",
            ),
            (
                "Start-up is about 30 percent faster on the project's own benchmarks",
                "Start-up of Pebble 4.2 is about 30 percent faster on the project's own benchmarks.",
            ),
            ("Plugins written for version 3 no longer load", "Plugins written for version 3 no longer load."),
            ("Windows builds are still experimental", "Windows builds of Pebble 4.2 are still experimental."),
        ),
        (
            "With Pebble 4.2 the old parser gave way to a table-driven one.",
            "On the project's own benchmarks Pebble 4.2 starts about 30% faster.",
            "Version 3 plugins no longer load in Pebble 4.2.",
            "The configuration format has not changed, and Windows builds remain experimental.",
        ),
        (
            "Pebble 4.2 replaces the old parser with a table-driven one that was contributed by a university team.",
            "Start-up of Pebble 4.2 is about 30 percent faster, because the new parser caches its results.",
            "Plugins written for version 3 no longer load, so developers must rewrite them in Rust.",
            "Windows builds of Pebble 4.2 are stable.",
            "Pebble 4.2 replaces the old parser with a table-driven one and halves memory consumption.",
        ),
    ),
    Case(
        "Annual report of the Calder Wind Cooperative",
        "The cooperative owns 14 turbines with a combined capacity of 38 megawatts. In 2023 they produced 91 gigawatt"
        " hours, 6 percent less than in the year before. The board attributes the decline to weak winds in spring."
        " Membership rose from 2,100 to 2,450 households. A battery of 10 megawatt hours is planned for 2026.",
        (
            (
                "The cooperative owns 14 turbines with a combined capacity of 38 megawatts",
                "The Calder Wind Cooperative owns 14 turbines with a combined capacity of 38 megawatts.",
            ),
            (
                "In 2023 they produced 91 gigawatt hours, 6 percent less than in the year before",
                "In 2023 its turbines produced 91 gigawatt hours, 6 percent less than in the year before.",
            ),
            (
                "The board attributes the decline to weak winds in spring",
                "The board attributes the decline to weak winds in spring.",
            ),
            (
                "Membership rose from 2,100 to 2,450 households",
                "Membership rose from 2,100 to 2,450 households.",
            ),
        ),
        (
            "The Calder Wind Cooperative has 14 turbines, together 38 megawatts.",
            "Production in 2023 was 91 gigawatt hours, down 6 percent on the year before.",
            "According to the board, weak winds in spring caused the decline.",
            "The number of member households grew from 2,100 to 2,450.",
            "A battery of 10 megawatt hours is to follow in 2026.",
        ),
        (
            "The Calder Wind Cooperative owns 14 turbines, more than any other cooperative in the country.",
            "In 2023 its turbines produced 91 gigawatt hours, enough to power a medium-sized town.",
            "The board attributes the decline to weak winds in spring and to repeated gearbox failures.",
            "Membership rose from 2,100 to 2,450 households after a successful advertising campaign.",
            "Membership fell from 2,450 to 2,100 households.",
        ),
    ),
    Case(
        "A trial of evening light",
        "The trial enrolled 64 adults with delayed sleep phase. Half of them wore amber glasses for two hours before"
        " bed. After three weeks they fell asleep 28 minutes earlier on average. Sleep duration did not change. The"
        " authors caution that participants knew which group they were in, so expectation may explain part of the"
        " effect.",
        (
            (
                "The trial enrolled 64 adults with delayed sleep phase",
                "The trial enrolled 64 adults with delayed sleep phase.",
            ),
            (
                "After three weeks they fell asleep 28 minutes earlier on average",
                "After three weeks those who wore amber glasses fell asleep 28 minutes earlier on average.",
            ),
            ("Sleep duration did not change", "Sleep duration did not change."),
            (
                "participants knew which group they were in, so expectation may explain part of the effect",
                "Since participants knew their group, expectation may explain part of the effect.",
            ),
        ),
        (
            "Adults with delayed sleep phase took part, 64 in all.",
            "Wearing amber glasses before bed brought sleep forward by 28 minutes on average after three weeks.",
            "How long they slept did not change.",
            "Part of the effect may be expectation, as participants knew which group they were in.",
        ),
        (
            "The trial enrolled 64 adults with delayed sleep phase, most of them students.",
            "After three weeks those who wore amber glasses fell asleep 28 minutes earlier and reported better mood.",
            "Sleep duration did not change, which proves that the glasses are safe.",
            "Since participants knew their group, expectation explains all of the effect.",
            "After three weeks those who wore amber glasses fell asleep 28 minutes later on average.",
        ),
    ),
    Case(
        "The bridge at Tolmen",
        "The suspension bridge at Tolmen was opened in 1934 by the county council. Its main span measures 310 metres."
        " Tolls were abolished in 1978. Corrosion of the hangers was found in an inspection in 2019, and lorries over"
        " 7.5 tonnes have been banned since. Repair is estimated at 42 million pounds.",
        (
            (
                "The suspension bridge at Tolmen was opened in 1934 by the county council",
                "The suspension bridge at Tolmen was opened in 1934 by the county council.",
            ),
            ("Its main span measures 310 metres", "The main span of the Tolmen bridge measures 310 metres."),
            ("Tolls were abolished in 1978", "Tolls on the Tolmen bridge were abolished in 1978."),
            (
                "Corrosion of the hangers was found in an inspection in 2019, and lorries over 7.5 tonnes have been"
                " banned since",
                "Since corrosion of the hangers was found in 2019, lorries over 7.5 tonnes have been banned.",
            ),
        ),
        (
            "The county council opened the suspension bridge at Tolmen in 1934.",
            "With a main span of 310 metres, the bridge at Tolmen opened in 1934.",
            "No tolls have been charged on the bridge since 1978.",
            "An inspection in 2019 found corroded hangers, and lorries over 7.5 tonnes may no longer cross.",
            "The repair is estimated to cost 42 million pounds.",
        ),
        (
            "The suspension bridge at Tolmen was opened in 1934, replacing a ferry that had sunk.",
            "The main span of the Tolmen bridge measures 310 metres, longer than that of its neighbour downstream.",
            "Tolls on the Tolmen bridge were abolished in 1978 after protests by local farmers.",
            "Since corrosion of the hangers was found in 2019, the bridge has been closed to pedestrians.",
            "The Tolmen bridge was the first suspension bridge that the county council opened, in 1934.",
        ),
    ),
    Case(
        "Connection pools in Harbour",
        "Harbour opens connections lazily and keeps at most 20 of them in a pool. A connection that has been idle for"
        " five minutes is closed. When the pool is exhausted, callers wait in order of arrival; after 30 seconds a"
        " PoolTimeout is raised. The size of the pool can be changed at run time without a restart.",
        (
            (
                "Harbour opens connections lazily and keeps at most 20 of them in a pool",
                "Harbour opens connections lazily and keeps at most 20 of them in a pool.",
            ),
            (
                "A connection that has been idle for five minutes is closed",
                "A connection that has been idle for five minutes is closed.",
            ),
            (
                "When the pool is exhausted, callers wait in order of arrival; after 30 seconds a PoolTimeout "
                "is raised",
                "When the pool is exhausted, callers wait in order of arrival, and after 30 seconds a PoolTimeout is"
                " raised.",
            ),
        ),
        (
            "Harbour's pool holds no more than 20 connections, which are opened lazily.",
            "Connections are closed after five idle minutes.",
            "Callers queue in order of arrival once the pool is exhausted, and get a PoolTimeout after 30 seconds.",
            "The pool can be resized at run time, without a restart.",
        ),
        (
            "Harbour opens connections lazily and encrypts all traffic by default.",
            "A connection that has been idle for five minutes is closed to protect the server from attackers.",
            "When the pool is exhausted, the newest callers are served before those that arrived earlier.",
            "Harbour keeps at most 20 connections in a pool, a limit that cannot be raised.",
            "When the pool is exhausted, callers wait in order of arrival, and the operator receives an alert.",
        ),
    ),
    Case(
        "The Marrow beetle",
        "The Marrow beetle lives on oak and chestnut. Females lay up to 80 eggs under the bark in June. The larvae feed"
        " on the inner bark for two years before they pupate. Woodpeckers are their main predators. In the warm summers"
        " of 2018 and 2019 outbreaks were reported from six counties.",
        (
            ("The Marrow beetle lives on oak and chestnut", "The Marrow beetle lives on oak and chestnut."),
            (
                "Females lay up to 80 eggs under the bark in June",
                "Females of the Marrow beetle lay up to 80 eggs under the bark in June.",
            ),
            (
                "The larvae feed on the inner bark for two years before they pupate",
                "The larvae feed on the inner bark for two years before they pupate.",
            ),
            (
                "In the warm summers of 2018 and 2019 outbreaks were reported from six counties",
                "Outbreaks were reported from six counties in the warm summers of 2018 and 2019.",
            ),
        ),
        (
            "Oak and chestnut are the trees on which the Marrow beetle lives.",
            "In June a female lays up to 80 eggs beneath the bark.",
            "Larvae spend two years feeding on the inner bark and then pupate.",
            "Six counties reported outbreaks in 2018 and 2019, when summers were warm.",
            "Woodpeckers are the main predators of the larvae.",
        ),
        (
            "The Marrow beetle lives on oak and chestnut and has recently spread to beech plantations.",
            "Females of the Marrow beetle lay up to 80 eggs under the bark in June, guarded by the males.",
            "The larvae feed on the inner bark for two years, killing the tree within a decade.",
            "Outbreaks were reported from six counties in 2018 and 2019 because woodpeckers had declined.",
            "The Marrow beetle lives only on oak and chestnut.",
        ),
    ),
    Case(
        "Budget of the port authority",
        "The port authority expects revenue of 127 million euros in 2025, up from 119 million in 2024. Container fees"
        " make up 61 percent of it. Dredging will take 18 million euros. The authority carries debt of 240 million"
        " euros, which it intends to halve by 2032.",
        (
            (
                "The port authority expects revenue of 127 million euros in 2025, up from 119 million in 2024",
                "The port authority expects revenue of 127 million euros in 2025, up from 119 million in 2024.",
            ),
            ("Container fees make up 61 percent of it", "Container fees make up 61 percent of its revenue."),
            (
                "The authority carries debt of 240 million euros, which it intends to halve by 2032",
                "The port authority carries debt of 240 million euros, which it intends to halve by 2032.",
            ),
        ),
        (
            "Revenue is expected to rise from 119 million euros in 2024 to 127 million in 2025.",
            "Of the revenue, 61 percent comes from container fees.",
            "The authority wants to halve its debt of 240 million euros by 2032.",
            "Dredging is to take 18 million euros.",
        ),
        (
            "The port authority expects revenue of 127 million euros in 2025, thanks to a new cruise terminal.",
            "Container fees make up 61 percent of its revenue, and passenger traffic contributes most of the "
            "remainder.",
            "The port authority carries debt of 240 million euros, owed mainly to foreign pension funds.",
            "The port authority will certainly reach revenue of 127 million euros in 2025.",
            "The port authority carries debt of 240 million euros, the highest of its kind.",
        ),
    ),
    Case(
        "A history of the Velm library",
        "The library at Velm grew out of the collection of the physician Ada Torn, who left it 4,000 books in 1802."
        " A fire in 1866 destroyed the reading room but spared the stacks. The present building was designed by Rolf"
        " Hagen and finished in 1871. Women were admitted as readers from 1894.",
        (
            (
                "The library at Velm grew out of the collection of the physician Ada Torn, who left it 4,000 books in"
                " 1802",
                "The library at Velm grew out of the 4,000 books that the physician Ada Torn left in 1802.",
            ),
            (
                "A fire in 1866 destroyed the reading room but spared the stacks",
                "A fire in 1866 destroyed the reading room but spared the stacks.",
            ),
            (
                "The present building was designed by Rolf Hagen and finished in 1871",
                "The present building was designed by Rolf Hagen and finished in 1871.",
            ),
        ),
        (
            "Ada Torn, a physician, left 4,000 books in 1802, from which the library at Velm grew.",
            "In 1866 a fire destroyed the reading room; the stacks were spared.",
            "Rolf Hagen designed the present building, which was finished in 1871.",
            "From 1894 women were admitted as readers.",
        ),
        (
            "The library at Velm grew out of the 4,000 books of the physician Ada Torn, who had studied in secret.",
            "A fire in 1866 destroyed the reading room but spared the stacks, as firemen formed a bucket chain.",
            "The present building was designed by Rolf Hagen and won a national prize for architecture.",
            "A fire in 1866 destroyed the stacks but spared the reading room.",
            "The library at Velm grew out of the 4,000 books of Ada Torn, the best private collection of its day.",
        ),
    ),
    Case(
        "Guidance on lithium cells",
        "Lithium cells should be stored at between 10 and 25 degrees Celsius. At higher temperatures the electrolyte"
        " slowly breaks down and capacity is lost. A charge of 40 to 60 percent is recommended for long storage."
        " Cells that have been dropped may short-circuit hours later and should be kept apart.",
        (
            (
                "At higher temperatures the electrolyte slowly breaks down and capacity is lost",
                "At higher temperatures the electrolyte slowly breaks down and capacity is lost.",
            ),
            (
                "A charge of 40 to 60 percent is recommended for long storage",
                "A charge of 40 to 60 percent is recommended for long storage.",
            ),
            (
                "Cells that have been dropped may short-circuit hours later and should be kept apart",
                "Cells that have been dropped may short-circuit hours later and should be kept apart.",
            ),
        ),
        (
            "Storage at 10 to 25 degrees Celsius is advised for lithium cells.",
            "When it is warmer, the electrolyte slowly breaks down, and with it goes capacity.",
            "For long storage a charge of 40 to 60 percent is recommended.",
            "Dropped cells should be kept apart, as they may short-circuit hours later.",
        ),
        (
            "At higher temperatures the electrolyte slowly breaks down, releasing toxic fumes into the room.",
            "A charge of 40 to 60 percent is recommended for long storage, so cells must be tested every month.",
            "Cells that have been dropped always short-circuit hours later and should be kept apart.",
            "Cells that have been dropped may short-circuit hours later and should be thrown into salt water.",
            "At lower temperatures the electrolyte slowly breaks down and capacity is lost.",
        ),
    ),
    # From here on: written after the rules, and not tuned to.
    Case(
        "Water meters in Sarn",
        "The town of Sarn fitted 5,300 homes with digital water meters between 2020 and 2022. Average consumption fell"
        " from 131 to 118 litres a day per person. Leaks were found in 214 homes within the first month. The meters"
        " send a reading every six hours by radio. The council says that it may sell the data to researchers.",
        (
            (
                "The town of Sarn fitted 5,300 homes with digital water meters between 2020 and 2022",
                "Sarn fitted 5,300 homes with digital water meters between 2020 and 2022.",
            ),
            (
                "Average consumption fell from 131 to 118 litres a day per person",
                "Average consumption in Sarn fell from 131 to 118 litres a day per person.",
            ),
            (
                "Leaks were found in 214 homes within the first month",
                "Leaks were found in 214 homes within the first month.",
            ),
            (
                "The council says that it may sell the data to researchers",
                "The council says that it may sell the data to researchers.",
            ),
        ),
        (
            "Between 2020 and 2022 digital water meters were installed in 5,300 homes in Sarn.",
            "Average daily consumption per person went down from 131 to 118 litres.",
            "In the first month alone, leaks came to light in 214 homes.",
            "The council may sell the data to researchers.",
            "Every six hours the meters transmit a reading by radio.",
        ),
        (
            "Sarn fitted 5,300 homes with digital water meters between 2020 and 2022, ahead of every other town.",
            "Average consumption in Sarn fell from 131 to 118 litres a day per person because prices were raised.",
            "Leaks were found in 214 homes within the first month, and owners were fined.",
            "The council sells the data to researchers.",
            "The council says that it may sell the data to advertisers.",
            "Sarn fitted 5,300 homes with digital water meters between 2020 and 2022 at the expense of the tenants.",
        ),
    ),
    Case(
        "The Quill text editor",
        "Quill saves a snapshot of every open file each minute. After a crash it offers the latest snapshots for"
        " recovery. Files larger than 50 megabytes are opened read-only. Themes are plain CSS files. Since version 2.1"
        " the editor has a command palette. Its maintainers do not accept contributions made with code generators.",
        (
            (
                "Quill saves a snapshot of every open file each minute",
                "Quill saves a snapshot of every open file each minute.",
            ),
            (
                "After a crash it offers the latest snapshots for recovery",
                "After a crash Quill offers the latest snapshots for recovery.",
            ),
            (
                "Files larger than 50 megabytes are opened read-only",
                "Quill opens files larger than 50 megabytes read-only.",
            ),
            (
                "Its maintainers do not accept contributions made with code generators",
                "The maintainers of Quill do not accept contributions made with code generators.",
            ),
        ),
        (
            "Each minute Quill stores a snapshot of all open files.",
            "Once it has crashed, the editor offers its latest snapshots for recovery.",
            "A file of more than 50 megabytes can only be read, not edited.",
            "Contributions made with code generators are not accepted.",
            "Themes for Quill are written in plain CSS.",
        ),
        (
            "Quill saves a snapshot of every open file each minute and uploads it to a server.",
            "After a crash Quill offers the latest snapshots for recovery, which slows its start considerably.",
            "Quill opens files larger than 50 megabytes read-only to avoid corrupting them.",
            "The maintainers of Quill accept contributions made with code generators.",
            "Quill saves a snapshot of every closed file each minute.",
            "Quill, the most popular editor, saves a snapshot of every open file each minute.",
        ),
    ),
)
