import type { Migrations } from '#language/publish/migrate.ts'

/**
 * How props of an earlier major version of a widget are written in the next one: `{ button: { 1: ({ text, ...rest }) => ({ ...rest, label: text }) } }`
 * leads from button@1 to button@2. A step stays here for good: releases that were published years ago are read through all of them. The config
 * server and `cfg migrate` read this file, so it imports no view and no style.
 */
export const widgetMigrations: Migrations['widgets'] = {}
