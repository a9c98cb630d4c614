import { useContext, useEffect, useMemo, useState } from 'react'
import { ConsoleContext } from '#console/io/console.ts'
import { usePrepared } from '#console/io/usePrepared.ts'
import { useWorkspace } from '#console/io/useWorkspace.ts'
import { asBuild, type PreviewSet } from '#console/preview/sets.ts'
import type { BuildReach } from '#language/publish/publishing.ts'

const none: readonly BuildReach[] = []

/** Builds that asked for documents lately; none until the server has told. */
export function useBuilds(): readonly BuildReach[] {
  const client = useContext(ConsoleContext)?.client
  const [builds, setBuilds] = useState(none)
  useEffect(() => {
    let gone = false
    client?.catalog().then(
      (told) => !gone && setBuilds(told.builds),
      () => undefined,
    )
    return () => {
      gone = true
    }
  }, [client])
  return builds
}

/** The set as a build gets it. Until the base is worked out, as it is. @param caps hash of the build; empty: this one */
export function useAsBuild(set: PreviewSet | null, builds: readonly BuildReach[], caps: string): PreviewSet | null {
  const { base, catalog } = useWorkspace()
  const shows = builds.find((build) => build.caps === caps)?.shows
  const before = usePrepared(shows ? base : null, catalog)
  return useMemo(() => (set && shows ? asBuild(set, before ?? undefined, shows) : set), [set, shows, before])
}
