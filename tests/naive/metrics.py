"""The metrics once more, slowly, from dictionaries and plain loops."""

from math import log2


def top(truth: dict[int, int], k: int) -> list[int]:
    return sorted((item for item in truth if truth[item] > 0), key=lambda item: (-truth[item], item))[:k]


def scores(answer: list[tuple[int, float]], truth: dict[int, int], k: int) -> dict[str, float]:
    best, given = top(truth, k), answer[:k]
    items = [item for item, _ in given]
    hits = 0
    for item in items:
        if item in best:
            hits += 1
    room = max(len(items), len(best))
    precision = hits / room if room else 0.0
    recall = hits / len(best) if best else 0.0
    gain = ideal = 0.0
    for place in range(1, k + 1):
        weight = 1.0 if place == 1 else 1 / log2(place)
        if place <= len(items) and items[place - 1] in best:
            gain += abs(k - abs(best.index(items[place - 1]) + 1 - place)) * weight
        if place <= len(best):
            ideal += k * weight
    absolute, relative = [], []
    for item in best:
        estimate = 0.0
        for name, count in given:
            if name == item and count > 0:
                estimate = count
        absolute.append(abs(truth[item] - estimate))
        relative.append(abs(truth[item] - estimate) / truth[item])
    return {
        "precision": precision,
        "recall": recall,
        "f1": 2 * precision * recall / (precision + recall) if hits else 0.0,
        "ndcg": gain / ideal if ideal else 0.0,
        "aae": sum(absolute) / len(best) if best else 0.0,
        "relative_error": sum(relative) / len(best) if best else 0.0,
    }
