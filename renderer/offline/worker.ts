/// <reference lib="webworker" />
import { cleanupOutdatedCaches, createHandlerBoundToURL, precacheAndRoute } from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'

/**
 * Keeps the shell of one build: the page and its own files. It does not store answers of the servers: the app keeps the documents itself,
 * and old prices are of no value. A newer worker waits until the customer agrees or every window is closed.
 */
declare const self: ServiceWorkerGlobalScope
declare const __SHELL__: { url: string; revision: string | null }[]

precacheAndRoute(__SHELL__, { ignoreURLParametersMatching: [] })
cleanupOutdatedCaches()
registerRoute(new NavigationRoute(createHandlerBoundToURL('/'), { allowlist: [/^\/$/] }))

self.addEventListener('message', (event) => {
  if (event.data === 'take-over') void self.skipWaiting()
})
