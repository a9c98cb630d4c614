import { askEarly } from '#renderer/config/early.ts'

/** The script that stands before the app's own in a built page; scripts/early.ts builds it. */
askEarly(import.meta.env.VITE_CAPS, import.meta.env.VITE_FEED)
