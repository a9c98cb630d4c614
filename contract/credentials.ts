import * as z from 'zod'
import { integerText } from '#contract/fields.ts'

/** Inputs of account calls. Only maximum lengths are checked here; the server validates the fields and names the wrong one. */
export const emailAddress = z.string().min(1).max(254)
export const mobileNumber = z.string().min(1).max(30).describe('national number; digits, blanks and hyphens')
export const areaCode = z
  .string()
  .regex(/^\+?[1-9]\d{0,3}$/)
  .optional()
  .describe('calling code of the country; absent: that of area_code_id, or 86')
export const areaCodeId = integerText(1, 10_000).optional().describe('id of a row of common.areas; area_code counts when both are sent')
export const defaultAreaCode = '86'
/** Neither trimmed nor truncated. The server also limits the bytes. */
export const passwordText = z.string().min(1).max(1_024).meta({ secret: true })
export const codeDigits = 6
/** Identifies this device to accounts that have logged in on it. */
export const deviceName = z.string().max(100).optional().describe('token from the last login on this device')
/** Field of calls that change a contact, a factor or a destination, or move money out. */
export const factor = z
  .string()
  .max(40)
  .optional()
  .describe('six digits of the authenticator, or a recovery code; required when a second factor is on')
export const ticket = z
  .string()
  .max(100)
  .optional()
  .describe('token from the call that sent the code; absent: the code must have been requested from this network')
export const code = z.string().min(1).max(20).meta({ secret: true }).describe(`${codeDigits} digits`)

/** Bounds of PASSWORD_MIN, the least length of a new login password in characters. The specification says more than six. */
export const passwordMin = { least: 7, usual: 8, most: 64 } as const
export const payPasswordCharactersMin = 6
