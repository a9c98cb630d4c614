/** Whether a value is an object, not a list or null. `T` are its members, which a caller of parsed JSON knows. */
export const isObject = <T = unknown>(value: unknown): value is Record<string, T> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
