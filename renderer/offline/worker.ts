/// <reference lib="webworker" />
import { cleanupOutdatedCaches, createHandlerBoundToURL, precacheAndRoute } from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'

/**
 * Keeps the shell of one build: the page and its own files. What the servers answer is not its business: documents are kept by the app, and
 * prices that are not fresh are worth nothing. A newer worker waits until the customer agrees or every window is closed.
 */
declare const self: ServiceWorkerGlobalScope
declare const __SHELL__: { url: string; revision: string | null }[]

precacheAndRoute(__SHELL__, { ignoreURLParametersMatching: [] })
cleanupOutdatedCaches()
registerRoute(new NavigationRoute(createHandlerBoundToURL('/'), { allowlist: [/^\/$/] }))

self.addEventListener('message', (event) => {
  if (event.data === 'take-over') void self.skipWaiting()
})
