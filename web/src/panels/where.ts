/** Where a table runs, in words. */
import { t } from "../i18n.ts";
import type { Capability } from "../net/protocol.ts";

/** Only a server lets others open a table by its link. */
export const whereIs = (capabilities: readonly Capability[]): string =>
  capabilities.includes("share") ? t("server_here") : t("device_here");
