import { askEarly } from '#renderer/config/early.ts'

askEarly(import.meta.env.VITE_CAPS, true)
