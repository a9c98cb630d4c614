/** What the engine keeps in the storage of the browser stands under keys that begin with it. The rest of the origin's storage is not the engine's. */
export const storagePrefix = 'tessera.'
