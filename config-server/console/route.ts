import type { Request, Response } from 'express'
import type * as z from 'zod'
import type { Session } from '#config-server/operators/operators.ts'
import type { Actor } from '#config-server/publishing/publishing.ts'
import type { Role } from '#language/publish/publishing.ts'

/** What a handler knows of the request beside its body. */
export interface Asked<B, Q> {
  /** Who asks; with `nobody` routes there is none. */
  session: Session
  actor: Actor
  body: B
  query: Q
  /** `:id`, `:number` of the path. */
  id: number
  /** `:session` of the path. */
  name: string
  req: Request
  res: Response
}
/** In place of data: the handler has answered by itself. */
export const answered = Symbol('answered')

/** One call of /console/api: who may make it and what it takes. The list of them is routes.ts; nothing else answers. */
export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below /console/api, as Express writes paths. */
  path: string
  /** `nobody`: before a login · `operator`: everybody who is logged in · or one of these roles. */
  who: 'nobody' | 'operator' | readonly Role[]
  /** Password and code must have been given within the last minutes. */
  fresh?: true
  /** An open page asks this by itself again and again, so it does not keep the session of somebody who has left. */
  passive?: true
  /** A secret may be guessed at here, so an address may ask seldom only. */
  guarded?: true
  body?: z.ZodType
  query?: z.ZodType
  /** Answers the data, or `answered`. */
  handle(asked: Asked<unknown, unknown>): unknown
}

type Output<T> = T extends z.ZodType ? z.output<T> : undefined

/** A row of the list: its handler gets what body and query were read as. */
export function route<B extends z.ZodType | undefined = undefined, Q extends z.ZodType | undefined = undefined>(
  row: Omit<Route, 'body' | 'query' | 'handle'> & { body?: B; query?: Q; handle(asked: Asked<Output<B>, Output<Q>>): unknown },
): Route {
  return row as unknown as Route
}
