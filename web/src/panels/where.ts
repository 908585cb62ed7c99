/** Where a table runs, in words. */
import { t } from "../i18n.ts";
import { isOnDevice } from "../net/device-backend.ts";
import { localBackend } from "../net/backends.ts";

export const whereIs = (id: string): string =>
  isOnDevice(id) || localBackend.owns(id) ? t("device_here") : t("server_here");
