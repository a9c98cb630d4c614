/** Prefix of all keys that the engine writes to the storage of the browser. The rest of the origin's storage is not the engine's. */
export const storagePrefix = 'tessera.'
