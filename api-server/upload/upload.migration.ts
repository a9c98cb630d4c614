import type { Purpose } from '#api-server/upload/upload.rules.ts'
import type { PictureKind } from '#contract/picture.ts'
import { type Migration, sqlStep } from '#server-kit/db/db.ts'

declare module '#server-kit/db/db.ts' {
  interface Tables {
    /** One row per stored picture; the file of that name holds its bytes. */
    upload: {
      name: string
      uid: number
      purpose: Purpose
      kind: PictureKind
      width: number
      height: number
      bytes: number
      sha256: string
      created_at: number
      /** Time of the claim; null for an unclaimed picture. */
      claimed_at: number | null
      /** Keyed hash of the bytes, equal for equal pictures; null for rows of earlier releases. */
      mark: string | null
    }
    /** Uploads of an account on one day, including refused ones. */
    upload_day: { uid: number; day: number; pictures: number; bytes: number }
  }
}

export const uploadMigrations: readonly Migration[] = [
  sqlStep(
    'upload-base',
    [
      `create table upload (name text primary key, uid bigint not null, purpose text not null, kind text not null,
        width int not null check (width > 0), height int not null check (height > 0), bytes int not null check (bytes > 0),
        sha256 text not null, created_at bigint not null, claimed_at bigint, mark text)`,
      'create index upload_uid on upload (uid)',
      'create index upload_unclaimed on upload (created_at) where claimed_at is null',
      `create table upload_day (uid bigint not null, day int not null, pictures int not null, bytes bigint not null,
        primary key (uid, day))`,
    ],
    ['upload-1', 'upload-2', 'upload-3'],
  ),
]
