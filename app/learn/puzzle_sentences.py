"""The sentences of the puzzle, as patterns that were read with each of their words."""

from typing import Final

PATTERNS: Final = (
    "the|our old|young farmer|teacher|doctor opened|closed|painted the green|heavy door|gate",
    "my|your little|older sister|brother|cousin found|lost|hid a red|silver coin|key|ring",
    "we|they walked|ran|drove to the old|new market|station|harbour before|after dinner|lunch",
    "she|he wrote|read|kept a long|short letter|poem|story about the sea|war|moon",
    "the|that black|white|grey cat|dog|horse slept|waited|rested behind|near the barn|wall|tree",
    "a|the tall|quiet|friendly stranger|neighbour|visitor asked for some|more water|tea|bread",
    "it rained|snowed all day|night|week in the north|south|hills|valley",
    "her|his father|uncle|aunt buys|sells|brings fresh|good|cheap bread|fish|cheese every sunday",
    "the first|last|next train|bus|ferry leaves|arrives at noon|midnight|seven",
    "nobody|somebody heard|noticed|remembered the strange|loud|soft music|voice last night|week",
    "we|they never|always|often eat|cook|order rice|soup|pasta at home|work|school",
    "the children|students|girls played|sang|danced in|outside the garden|hall|yard until dark",
    "this|that small|large|narrow room|house|shop has no|one window|door|lamp",
    "please put|leave|keep the clean|empty|blue cups|plates|bottles on the table|shelf|counter",
    "my|our|their car|bicycle|van needs a new|better|stronger lock|mirror|light",
    "two|three|four ducks|geese|swans flew over|above the lake|field|bridge today|yesterday",
    "the painter|writer|singer lived|worked|stayed alone|happily|quietly in paris|rome|vienna",
    "can|could you bring|give|send me|us a map|pen|book tomorrow|tonight|soon",
    "the cook|waiter|owner brought|served|carried hot|more soup|coffee|food to the guests|sailors",
    "snow|dust|sand covered|hid the|every road|path|field near the village|town|city",
    "he|she told|read us a funny|sad|strange story|tale again|twice|yesterday",
    "most|some|many people|visitors|tourists like|enjoy|love the quiet|sunny parks|beaches here",
    "the river|stream|canal is|was|seems deep|cold|clear|dark in winter|spring|autumn",
    "the police|guards saw|followed|stopped a man|woman|thief near|behind|outside the bank|hotel",
)
"""One word or a choice of words for each place; every choice makes a sentence."""
