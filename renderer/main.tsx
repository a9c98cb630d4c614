import { startApp } from '#renderer/app.tsx'

startApp()
