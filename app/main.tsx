import { type OwnContract, startApp } from '#app/app.tsx'

/** A run of flows lays it down before the app starts, for a set of documents that brings its own contract (flows/stage.ts). */
const { ownContract } = window as { ownContract?: OwnContract }

startApp(ownContract && { contract: ownContract })
