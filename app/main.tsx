import { product } from '#app/product.ts'
import { type OwnContract, startApp } from '#renderer/start.tsx'

/** Set before the app starts by a run of flows, for documents with a contract of their own (flows/stage.ts). */
const { ownContract } = window as { ownContract?: OwnContract }

startApp(product, ownContract && { contract: ownContract })
