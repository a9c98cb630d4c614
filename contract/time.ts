/** Header of every answer of the API: the server's time in milliseconds since 1970. Clients set their clock by it. */
export const timeHeader = 'x-time'
