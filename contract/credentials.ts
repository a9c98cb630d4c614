import * as z from 'zod'
import { integerText } from '#contract/fields.ts'

/** Inputs of the calls around accounts. Forms are read strictly by the server, which names what is wrong; here stands how long they may be. */
export const emailAddress = z.string().min(1).max(254)
export const mobileNumber = z.string().min(1).max(30).describe('national number; digits, blanks and hyphens')
export const areaCode = z
  .string()
  .regex(/^\+?[1-9]\d{0,3}$/)
  .optional()
  .describe('calling code of the country; left out: that of area_code_id, or 86')
export const areaCodeId = integerText(1, 10_000).optional().describe('id of a row of common.areas; area_code counts when both are sent')
export const defaultAreaCode = '86'
/** Neither trimmed nor cut; the server also bounds the bytes. */
export const passwordText = z.string().min(1).max(1_024).meta({ secret: true })
export const codeDigits = 6
/** Names this device to the account that has logged in on it. */
export const deviceName = z.string().max(100).optional().describe('what the last login on this device answered')
/** Of calls that change a contact, a factor or a destination, or that let money leave. */
export const factor = z
  .string()
  .max(40)
  .optional()
  .describe('six digits of the authenticator, or a recovery code; needed when a second factor is on')
export const ticket = z
  .string()
  .max(100)
  .optional()
  .describe('what the sending call answered; left out: the code must have been asked for from this network')
export const code = z.string().min(1).max(20).meta({ secret: true }).describe(`${codeDigits} digits`)

/** Characters that a new password needs at least on the server; forms ask for more than six. */
export const passwordCharactersMin = 8
export const payPasswordCharactersMin = 6
