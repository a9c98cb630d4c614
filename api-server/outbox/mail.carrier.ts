import { createTransport } from 'nodemailer'
import type { Carrier } from '#api-server/outbox/outbox.ts'

const waitMsMax = 20_000

/**
 * Sends plain text mail over SMTP.
 * @param url smtp://user:password@host:port or smtps://…
 * @param from sender: Tessera <no-reply@example.com>
 */
export function mailCarrier(url: string, from: string): Carrier {
  const transport = createTransport(url, { from })
  return {
    async send(to, subject, text) {
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<never>((_, fail) => {
        timer = setTimeout(() => fail(Object.assign(new Error('the mail server takes too long'), { code: 'ETIMEDOUT' })), waitMsMax)
      })
      try {
        await Promise.race([
          transport.sendMail({ to: { name: '', address: to }, subject, text, disableFileAccess: true, disableUrlAccess: true }),
          late,
        ])
      } finally {
        clearTimeout(timer)
      }
    },
    close: () => transport.close(),
  }
}
