import { act, type ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { MemoryRouter } from 'react-router-dom'
import { type Editing, EditingProvider, useEditing } from '#console/editor/document/useEditing.tsx'
import { createChecker } from '#console/io/checker.ts'
import type { Client } from '#console/io/client.ts'
import { WorkspaceContext } from '#console/io/useWorkspace.ts'
import { openWorkspace } from '#console/io/workspace.ts'
import functions from '#contract/functions/manifest.json'
import contract from '#contract/manifest.json'
import symbols from '#contract/symbols.json'
import topics from '#contract/topics.json'
import type { Draft, DraftFile, FileSet } from '#language/publish/publishing.ts'
import { lengthened } from '#language/text/shorthand.ts'
import type { Catalog } from '#language/types/catalog.ts'
import manifest from '#widgets/manifest.json'

const ofProduct = { ...manifest, calls: contract, functions, symbols, topics } as unknown as Catalog

/**
 * One document in the editor, with a server that saves at once, for tests of forms and controls. Texts are shown as the last part of their key.
 * @param files texts, or values that are printed
 */
export async function editingStage(files: Readonly<Record<string, unknown>>, path: string, selected = '', catalog = ofProduct) {
  const textOf = (value: unknown) => (typeof value === 'string' ? value : `${JSON.stringify(value, null, 2)}\n`)
  const base = Object.fromEntries(Object.entries(files).map(([file, value]) => [file, textOf(value)]))
  const changed: Record<string, DraftFile> = {}
  const client = {
    files: async (): Promise<FileSet> => ({ release: 1, files: base, changed }),
    draft: async () => ({ id: 1, name: 'Summer', state: 'open', approval: null }) as unknown as Draft,
    catalog: async () => ({ catalog, builds: [], canRunFlows: false }),
    saveFile: async (_id: number, { path: file, text, version }: { path: string; text: string | null; version: number }) => {
      changed[file] = { path: file, text, version: version + 1, baseSha: null, by: 'ann', at: 1 }
      return changed[file]
    },
  } as unknown as Client
  const workspace = openWorkspace({
    client,
    of: { draft: 1 },
    mayEdit: true,
    saveDelayMs: 0,
    unsaved: { read: () => ({}), write: () => true },
    mergeTexts: async () => null,
    startChecks(tell) {
      let checker = createChecker(catalog)
      const look = (texts: Record<string, string | null>, base?: Record<string, string>) => {
        tell({ ticket: 0, kind: 'prepared', change: checker.change(texts, base), ms: 0 })
        // The documents of a test have no app and no theme.
        tell({ ticket: 0, kind: 'problems', problems: checker.problems().filter(({ check }) => check !== 'kinds'), ms: 0 })
      }
      return {
        begin(known, texts, base) {
          checker = createChecker(known)
          look(texts, base)
        },
        change: look,
        end: () => undefined,
      }
    },
  })
  const box = document.createElement('div')
  document.body.replaceChildren(box)
  let root = createRoot(box)
  let editing: Editing | undefined
  function Seen({ children }: { children(editing: Editing): ReactNode }) {
    editing = useEditing()
    return children(editing)
  }
  await act(async () => void (await new Promise((done) => setTimeout(done))))

  const stage = {
    box,
    saved: changed,
    workspace: () => workspace.view(),
    editing: () => editing!,
    doc: () => lengthened(JSON.parse(workspace.view().files[path] ?? 'null')),
    /** Renders part of the editor; its arguments follow the document. */
    async show(children: (editing: Editing) => ReactNode) {
      await stage.render(
        <MemoryRouter>
          <EditingProvider path={path} language="en" selected={selected} select={() => undefined}>
            <Seen>{children}</Seen>
          </EditingProvider>
        </MemoryRouter>,
      )
    },
    /** Renders any part of the console that reads the workspace. */
    async render(children: ReactNode) {
      await act(async () => root.render(<WorkspaceContext value={workspace}>{children}</WorkspaceContext>))
    },
    /** Unmounts everything, as leaving the page does. */
    async leave() {
      await act(async () => root.unmount())
      root = createRoot(box)
    },
    find<E extends Element = HTMLElement>(selector: string): E {
      const found = box.querySelector<E>(selector)
      if (!found) throw new Error(`${selector} is not in ${box.innerHTML}`)
      return found
    },
    button(words: string): HTMLElement {
      const found = [...box.querySelectorAll<HTMLElement>('button, [role=button]')].find(
        (one) => one.textContent?.includes(words) || one.getAttribute('aria-label')?.includes(words),
      )
      if (!found) throw new Error(`no button "${words}" in ${box.innerHTML}`)
      return found
    },
    /** Runs work outside of React and waits for the renders that it causes. */
    async does(work: () => void) {
      await act(async () => work())
    },
    async press(element: HTMLElement) {
      await act(async () => element.click())
    },
    /** Changes the text of a control by one input event. */
    async type(element: HTMLElement, text: string) {
      const proto = element instanceof HTMLTextAreaElement ? HTMLTextAreaElement.prototype : HTMLInputElement.prototype
      await act(async () => {
        Object.getOwnPropertyDescriptor(proto, 'value')!.set!.call(element, text)
        element.dispatchEvent(new Event('input', { bubbles: true }))
      })
    },
    async saving() {
      await act(async () => void (await workspace.view().flush()))
    },
    async end() {
      await stage.leave()
      workspace.end()
    },
  }
  return stage
}
