import { product } from '#app/product.ts'
import { type OwnContract, startApp } from '#renderer/start.tsx'

/** A run of flows lays it down before the app starts, for a set of documents that brings its own contract (flows/stage.ts). */
const { ownContract } = window as { ownContract?: OwnContract }

startApp(product, ownContract && { contract: ownContract })
