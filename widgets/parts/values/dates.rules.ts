/**
 * Writes dates in a language, by the calendar of the rest of the app: by its own, Thai would count years from another era.
 * @param tag BCP 47
 */
export const dateFormat = (tag: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(tag, { ...options, calendar: 'gregory' })
