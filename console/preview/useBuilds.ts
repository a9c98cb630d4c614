import { useContext, useEffect, useMemo, useState } from 'react'
import { ConsoleContext } from '#console/io/console.ts'
import { usePrepared } from '#console/io/usePrepared.ts'
import { useWorkspace } from '#console/io/useWorkspace.ts'
import { asBuild, type PreviewSet } from '#console/preview/sets.ts'
import type { BuildImpact } from '#language/publish/publishing.ts'

const none: readonly BuildImpact[] = []

/** Builds that requested documents lately; empty until the server answers. */
export function useBuilds(): readonly BuildImpact[] {
  const client = useContext(ConsoleContext)?.client
  const [builds, setBuilds] = useState(none)
  useEffect(() => {
    let gone = false
    client?.catalog().then(
      (answer) => !gone && setBuilds(answer.builds),
      () => undefined,
    )
    return () => {
      gone = true
    }
  }, [client])
  return builds
}

/** The documents as a build gets them; unchanged until the base is prepared. @param caps hash of the build; empty: the current one */
export function useAsBuild(set: PreviewSet | null, builds: readonly BuildImpact[], caps: string): PreviewSet | null {
  const { base, catalog } = useWorkspace()
  const shows = builds.find((build) => build.caps === caps)?.shows
  const before = usePrepared(shows ? base : null, catalog)
  return useMemo(() => (set && shows ? asBuild(set, before ?? undefined, shows) : set), [set, shows, before])
}
