/** Tables of the process that crash tests kill. */
declare module '#server-kit/db/db.ts' {
  interface Tables {
    crash_entry: { id: number; half: number; note: string | null }
    crash_half: { id: number }
  }
}

export {}
