import { askEarly } from '#renderer/io/early.ts'

askEarly(import.meta.env.VITE_CAPS)
