"""Which letter follows which in eleven languages of Latin script, as a table of octaves.

Counted in the 50,000 most frequent words of German, Spanish, French, Italian, Portuguese, Dutch, Polish, Swedish,
Turkish and Indonesian film subtitles (OpenSubtitles 2018, counts by hermitdave/FrequencyWords, CC BY-SA 4.0) and of
English web pages (Google Web 1T, counts by P. Norvig), each word weighing by the root of its count, English threefold.
A digit d stands for 2^-d; 9 is 2^-9 or less. Accented letters are left out: the model gives them what it gives any
other byte.
"""

START, ENDING = "^", "$"
FOLLOWING = "abcdefghijklmnopqrstuvwxyz" + ENDING
_OCTAVES = {
    "^": "444455555655455485346559769",
    "a": "655497565754439593446679673",
    "b": "268929993894993993674999595",
    "c": "395939923845993995855999755",
    "d": "399629893997873995685889663",
    "e": "675567675864538693357677772",
    "f": "399734793994983993654999794",
    "g": "399729554975854994664999892",
    "h": "298929993976663995745979693",
    "i": "474536589764534685447698764",
    "j": "297527894957763897683899983",
    "k": "289939973964764995544889793",
    "l": "388528773973674899655799593",
    "m": "258829993997573499684999693",
    "n": "495447374867855999436799572",
    "o": "765566686864435593454658783",
    "p": "398938954994883593655999894",
    "q": "799999997998999999990999995",
    "r": "376538683966564895545789663",
    "s": "484938964966784599435889762",
    "t": "398929953887784994555979683",
    "u": "555546674754437593349777773",
    "v": "299819992997993995796899996",
    "w": "287739952977953896587999484",
    "x": "384948973997895399836897692",
    "y": "375649795765554696466969981",
    "z": "376639793876654897874969453",
}


def after(letter: str) -> dict[str, float]:
    """How often each letter, or the end of the word, follows a letter or the start of a word; they add up to one.

    >>> round(after("q")["u"], 2), max(after("t"), key=after("t").get)
    (0.91, 'e')
    """
    weights = {follower: 2.0 ** -int(octave) for follower, octave in zip(FOLLOWING, _OCTAVES[letter], strict=True)}
    whole = sum(weights.values())
    return {follower: weight / whole for follower, weight in weights.items()}
