"""The words of the page in six languages."""

from __future__ import annotations

LANGUAGES = ("fr", "en", "de", "nl", "es", "it")

_ROWS: dict[str, tuple[str, str, str, str, str, str]] = {
    "tagline": (
        "Le jeu de pose de François Haffner",
        "François Haffner's tile-laying game",
        "Das Legespiel von François Haffner",
        "Het legspel van François Haffner",
        "El juego de fichas de François Haffner",
        "Il gioco di tessere di François Haffner",
    ),
    "soon": (
        "La table de jeu arrive bientôt. En attendant : une partie en cours et tous les dominos.",
        "The playing table is coming soon. Until then, here is a game under way, and every domino.",
        "Der Spieltisch kommt bald. Bis dahin: eine laufende Partie und alle Dominosteine.",
        "De speeltafel komt eraan. Tot dan: een partij in volle gang, en alle stenen.",
        "La mesa de juego llegará pronto. Mientras tanto, una partida en curso y todas las fichas.",
        "Il tavolo da gioco arriva presto. Intanto, ecco una partita in corso e tutte le tessere.",
    ),
    "a_table": (
        "Une table",
        "A table",
        "Ein Tisch",
        "Een tafel",
        "Una mesa",
        "Un tavolo",
    ),
    "another": (
        "Une autre table",
        "Another table",
        "Ein anderer Tisch",
        "Een andere tafel",
        "Otra mesa",
        "Un altro tavolo",
    ),
    "closed_groups": (
        "Les groupes fermés sont entourés, avec leur nombre de disques.",
        "Closed groups are outlined, with the number of their discs.",
        "Geschlossene Gruppen sind umrandet; die Zahl nennt ihre Scheiben.",
        "Gesloten groepen zijn omlijnd, met hun aantal schijven.",
        "Los grupos cerrados están rodeados, con su número de discos.",
        "I gruppi chiusi sono contornati, con il numero dei loro dischi.",
    ),
    "as_text": (
        "La position en notation",
        "The position in notation",
        "Die Stellung in Notation",
        "De stelling in notatie",
        "La posición en notación",
        "La posizione in notazione",
    ),
    "the_set": (
        "Les dominos",
        "The dominoes",
        "Die Dominosteine",
        "De stenen",
        "Las fichas",
        "Le tessere",
    ),
    "faces": (
        "Chaque domino a deux faces : recto à gauche, verso à droite.",
        "Every domino has two faces: recto on the left, verso on the right.",
        "Jeder Stein hat zwei Seiten: links die Vorder-, rechts die Rückseite.",
        "Elke steen heeft twee kanten: links de voorkant, rechts de achterkant.",
        "Cada ficha tiene dos caras: anverso a la izquierda, reverso a la derecha.",
        "Ogni tessera ha due facce: fronte a sinistra, retro a destra.",
    ),
    "look": ("Apparence", "Look", "Aussehen", "Uiterlijk", "Aspecto", "Aspetto"),
    "shape": ("Forme", "Shape", "Form", "Vorm", "Forma", "Forma"),
    "rounds": ("ronds", "rounds", "Kreise", "rondjes", "círculos", "tondi"),
    "squares": ("carrés", "squares", "Quadrate", "vierkanten", "cuadrados", "quadrati"),
    "octagons": ("octogones", "octagons", "Achtecke", "achthoeken", "octógonos", "ottagoni"),
    "palette": ("Couleurs", "Colours", "Farben", "Kleuren", "Colores", "Colori"),
    "classic": ("vives", "bright", "kräftig", "helder", "vivos", "vivaci"),
    "original": ("d’origine", "original", "original", "origineel", "originales", "originali"),
    "red-green": (
        "rouge-vert difficile",
        "red-green blind",
        "Rot-Grün-Schwäche",
        "rood-groenblind",
        "daltonismo rojo-verde",
        "daltonismo rosso-verde",
    ),
    "blue-yellow": (
        "bleu-jaune difficile",
        "blue-yellow blind",
        "Blau-Gelb-Schwäche",
        "blauw-geelblind",
        "daltonismo azul-amarillo",
        "daltonismo blu-giallo",
    ),
    "grey": ("gris", "grey", "grau", "grijs", "gris", "grigio"),
    "symbols": ("Symboles", "Symbols", "Symbole", "Symbolen", "Símbolos", "Simboli"),
    "show": ("Afficher", "Show", "Zeigen", "Tonen", "Mostrar", "Mostra"),
    "credit": (
        "Le jeu et son nom sont à François Haffner. Cette édition numérique est indépendante.",
        "The game and its name are François Haffner's. This digital edition is independent.",
        "Spiel und Name gehören François Haffner. Diese digitale Ausgabe ist unabhängig.",
        "Spel en naam zijn van François Haffner. Deze digitale uitgave is onafhankelijk.",
        "El juego y su nombre son de François Haffner. Esta edición digital es independiente.",
        "Il gioco e il nome sono di François Haffner. Questa edizione digitale è indipendente.",
    ),
    "pile": ("pile {}", "pile {}", "Stapel {}", "stapel {}", "montón {}", "mucchio {}"),
}

TEXTS: dict[str, dict[str, str]] = {
    language: {key: row[number] for key, row in _ROWS.items()}
    for number, language in enumerate(LANGUAGES)
}


def preferred(accepted: str) -> str:
    """The first of our languages that a browser's Accept-Language asks for; else English."""
    wishes = []
    for number, part in enumerate(accepted.split(",")[:20]):
        tag, _, quality = part.strip().partition(";q=")
        try:
            weight = float(quality) if quality else 1.0
        except ValueError:
            weight = 0.0
        wishes.append((-weight, number, tag.lower()[:2]))
    for weight, _, language in sorted(wishes):
        if weight < 0 and language in LANGUAGES:
            return language
    return "en"
