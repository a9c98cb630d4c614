import { useMemo } from 'react'
import { areaOf, readWords } from '#console/io/sources.ts'
import { consoleLanguages, useLocaleTag, useWords } from '#console/io/words.ts'
import type { Speech } from '#console/review/sentences.rules.ts'

/** What sentences about changes are made with. @param files a set, for the words of its keys */
export function useSpeech(files: Readonly<Record<string, string>>): Speech {
  const say = useWords()
  const tag = useLocaleTag()
  const language = consoleLanguages.find((one) => one.tag === tag)?.id ?? 'en'
  const words = useMemo(() => {
    const found = new Map<string, string>()
    for (const id of new Set(['en', language])) {
      for (const [path, text] of Object.entries(files)) {
        const place = areaOf(path)
        if (place?.[0] !== id) continue
        for (const [key, value] of Object.entries(readWords(path, text).flat)) found.set(`${place[1]}.${key}`, value)
      }
    }
    return found
  }, [files, language])
  return useMemo(
    () => ({
      say,
      tag,
      wordsOf: (key) => words.get(key) ?? words.get(`${key}_other`),
      languageName: (id) => consoleLanguages.find((one) => one.id === id)?.label ?? id,
    }),
    [say, tag, words],
  )
}
