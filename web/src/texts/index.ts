// Made by `node games.mjs`.
/** Every name of a text. */
import type _texts_board_json from "../texts/board.json";
import type _texts_dominoes_json from "../texts/dominoes.json";
import type _texts_home_json from "../texts/home.json";
import type _texts_lesson_json from "../texts/lesson.json";
import type _texts_levels_json from "../texts/levels.json";
import type _texts_log_json from "../texts/log.json";
import type _texts_new_json from "../texts/new.json";
import type _texts_print_json from "../texts/print.json";
import type _texts_problems_json from "../texts/problems.json";
import type _texts_races_json from "../texts/races.json";
import type _texts_refusals_json from "../texts/refusals.json";
import type _texts_result_json from "../texts/result.json";
import type _texts_review_json from "../texts/review.json";
import type _texts_shell_json from "../texts/shell.json";
import type _texts_study_json from "../texts/study.json";
import type _texts_table_json from "../texts/table.json";
import type _games_72_texts_json from "../games/72/texts.json";
import type _games_alex_texts_json from "../games/alex/texts.json";
import type _games_arlequin_texts_json from "../games/arlequin/texts.json";
import type _games_auction_texts_json from "../games/auction/texts.json";
import type _games_classic_texts_json from "../games/classic/texts.json";
import type _games_conquest_texts_json from "../games/conquest/texts.json";
import type _games_gone_texts_json from "../games/gone/texts.json";
import type _games_puzzle_texts_json from "../games/puzzle/texts.json";

export type TextName =
  | keyof typeof _texts_board_json
  | keyof typeof _texts_dominoes_json
  | keyof typeof _texts_home_json
  | keyof typeof _texts_lesson_json
  | keyof typeof _texts_levels_json
  | keyof typeof _texts_log_json
  | keyof typeof _texts_new_json
  | keyof typeof _texts_print_json
  | keyof typeof _texts_problems_json
  | keyof typeof _texts_races_json
  | keyof typeof _texts_refusals_json
  | keyof typeof _texts_result_json
  | keyof typeof _texts_review_json
  | keyof typeof _texts_shell_json
  | keyof typeof _texts_study_json
  | keyof typeof _texts_table_json
  | keyof typeof _games_72_texts_json
  | keyof typeof _games_alex_texts_json
  | keyof typeof _games_arlequin_texts_json
  | keyof typeof _games_auction_texts_json
  | keyof typeof _games_classic_texts_json
  | keyof typeof _games_conquest_texts_json
  | keyof typeof _games_gone_texts_json
  | keyof typeof _games_puzzle_texts_json;
