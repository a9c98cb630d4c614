/** a***@b.com */
function maskEmail(email: string): string {
  const at = email.indexOf('@')
  return `${email.slice(0, 1)}***${email.slice(at)}`
}

/** +86 138****8000 */
function maskMobile(mobile: string): string {
  const [area = '', number = ''] = mobile.split(' ')
  return number.length < 9 ? `${area} ${number.slice(0, 1)}****${number.slice(-2)}` : `${area} ${number.slice(0, 3)}****${number.slice(-4)}`
}

export const mask = (address: string): string => (address.includes('@') ? maskEmail(address) : maskMobile(address))
