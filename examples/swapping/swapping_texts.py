"""The texts of Swapping, for readers of six languages; only English is required."""

TEXTS = {
    "en": {
        "title": "Swapping",
        "description": "Before you lay, you may pay to swap one domino.",
        "moves": {
            "swap": {
                "label": "Swap a domino",
                "help": "Put a domino back into the bag and draw another one, once per turn.",
                "variant": "Swap {tile}",
            }
        },
        "events": {"swapped": "{player} swaps {tile} ({points})"},
        "options": {"swap_cost": {"label": "Cost of a swap", "help": "in points"}},
    },
    "fr": {
        "title": "Échange",
        "description": "Avant de poser, tu peux payer pour échanger un domino.",
        "moves": {
            "swap": {
                "label": "Échanger un domino",
                "help": "Remets un domino dans le sac et pioches-en un autre, une fois par tour.",
                "variant": "Échanger {tile}",
            }
        },
        "events": {"swapped": "{player} échange {tile} ({points})"},
        "options": {"swap_cost": {"label": "Coût d’un échange", "help": "en points"}},
    },
    "de": {
        "title": "Tauschen",
        "description": "Vor dem Legen darfst du gegen Punkte einen Stein tauschen.",
        "moves": {
            "swap": {
                "label": "Stein tauschen",
                "help": "Leg einmal pro Zug einen Stein in den Beutel zurück und zieh einen neuen.",
                "variant": "{tile} tauschen",
            }
        },
        "events": {"swapped": "{player} tauscht {tile} ({points})"},
        "options": {"swap_cost": {"label": "Preis eines Tauschs", "help": "in Punkten"}},
    },
    "nl": {
        "title": "Ruilen",
        "description": "Voordat je legt, mag je tegen betaling één steen ruilen.",
        "moves": {
            "swap": {
                "label": "Steen ruilen",
                "help": "Doe één keer per beurt een steen terug in de zak en trek een nieuwe.",
                "variant": "{tile} ruilen",
            }
        },
        "events": {"swapped": "{player} ruilt {tile} ({points})"},
        "options": {"swap_cost": {"label": "Prijs van een ruil", "help": "in punten"}},
    },
    "es": {
        "title": "Cambio",
        "description": "Antes de poner, puedes pagar para cambiar una ficha.",
        "moves": {
            "swap": {
                "label": "Cambiar una ficha",
                "help": "Devuelve una ficha a la bolsa y roba otra, una vez por turno.",
                "variant": "Cambiar {tile}",
            }
        },
        "events": {"swapped": "{player} cambia {tile} ({points})"},
        "options": {"swap_cost": {"label": "Precio de un cambio", "help": "en puntos"}},
    },
    "it": {
        "title": "Cambio",
        "description": "Prima di posare puoi pagare per cambiare una tessera.",
        "moves": {
            "swap": {
                "label": "Cambia una tessera",
                "help": "Rimetti una tessera nel sacchetto e pescane un’altra: una volta a turno.",
                "variant": "Cambia {tile}",
            }
        },
        "events": {"swapped": "{player} cambia {tile} ({points})"},
        "options": {"swap_cost": {"label": "Costo di un cambio", "help": "in punti"}},
    },
}
