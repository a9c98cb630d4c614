import { useEffect, useState } from 'react'

const common = { lang: 'en', agent_id: 'handwritten' }

async function call<T>(method: 'GET' | 'POST', path: string, fields: Record<string, string>): Promise<T> {
  const text = new URLSearchParams({ ...fields, ...common })
  const token = localStorage.getItem('tessera.token')
  const headers: Record<string, string> = token ? { authorization: token } : {}
  const answer = await fetch(
    method === 'GET' ? `/api${path}?${text}` : `/api${path}`,
    method === 'GET' ? {} : { method, body: text, headers },
  )
  const { code, data, msg } = (await answer.json()) as { code: number; data: T; msg: string }
  if (code !== 1) throw new Error(msg)
  return data
}

/** Answer of a call that is made once; undefined while it loads. */
export function useCall<T>(method: 'GET' | 'POST', path: string, fields: Record<string, string> = {}): T | undefined {
  const [data, setData] = useState<T>()
  const key = JSON.stringify(fields)
  useEffect(() => {
    let live = true
    call<T>(method, path, JSON.parse(key) as Record<string, string>).then((found) => live && setData(found))
    return () => {
      live = false
    }
  }, [method, path, key])
  return data
}
