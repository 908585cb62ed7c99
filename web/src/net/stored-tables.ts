/** Which tables this browser has stored: to be known before the engine is loaded. */

/** The database of the tables of this device (engine/table-store.ts). */
export const TABLES_DATABASE = "dalapapa tables";

/** The ids of all stored tables; none where the browser allows no storage. */
export async function listStoredIds(): Promise<string[]> {
  try {
    // Opening a database that does not exist would make one.
    const known = await indexedDB.databases();
    return known.some(({ name }) => name === TABLES_DATABASE) ? await readIds() : [];
  } catch {
    return [];
  }
}

const readIds = (): Promise<string[]> =>
  new Promise((resolve, reject) => {
    const opening = indexedDB.open(TABLES_DATABASE);
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const { result: database } = opening;
      const reading = database.transaction("tables").objectStore("tables").getAllKeys();
      reading.onerror = () => reject(reading.error);
      reading.onsuccess = () => resolve(reading.result as string[]);
      database.close(); // Once the transaction is over.
    };
  });
