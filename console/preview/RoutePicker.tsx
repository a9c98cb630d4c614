import { useId, useMemo, useState } from 'react'
import { useWords } from '#console/io/words.ts'
import { Button } from '#console/parts/Button.tsx'
import { Select, TextInput } from '#console/parts/Field.tsx'
import { firstParam, type PreviewSet, routesOf, type ScreenRoute } from '#console/preview/sets.ts'
import { addressOf } from '#renderer/core/route.ts'

interface Props {
  set: PreviewSet
  /** Address of the shown page within the app. */
  address: string
  open: (address: string) => void
}

/** The path of an address, as routes write it. */
export const pathOf = (address: string) => (address.split('?', 1)[0] ?? '').replace(/^\/+|\/+$/g, '')
const trim = (path: string) => path.replace(/^\/+|\/+$/g, '')

/** The address of a screen with its required parameters. */
export const addressFor = ({ path, params }: ScreenRoute, given: Readonly<Record<string, string>> = {}): string =>
  addressOf(
    path,
    Object.fromEntries(
      Object.entries(params).flatMap(([name, param]) => {
        const value = given[name] || firstParam(name, param)
        return value === '' ? [] : [[name, value]]
      }),
    ),
  )

/** Picks a page of the app by its path, with fields for its parameters. */
export function RoutePicker({ set, address, open }: Props) {
  const say = useWords()
  const id = useId()
  const routes = useMemo(() => routesOf(set), [set])
  const here = routes.find(({ path }) => trim(path) === pathOf(address))
  return (
    <div className="pv-route">
      <label className="visually-hidden" htmlFor={id}>
        {say('preview.page')}
      </label>
      <Select
        id={id}
        className="pv-select"
        value={here?.path ?? ''}
        choices={[
          ...(here ? [] : [{ value: '', label: say('preview.unknown_page') }]),
          ...routes.map((route) => ({
            value: route.path,
            label: route.auth ? `${route.screen} · ${say('preview.for_customers')}` : route.screen,
          })),
        ]}
        onChoose={(chosen) => {
          const route = routes.find(({ path }) => path === chosen)
          if (route) open(addressFor(route))
        }}
      />
      {here && Object.keys(here.params).length > 0 && <Params key={address} route={here} address={address} open={open} />}
    </div>
  )
}

function Params({ route, address, open }: { route: ScreenRoute } & Pick<Props, 'address' | 'open'>) {
  const say = useWords()
  const id = useId()
  const query = new URLSearchParams(address.split('?')[1] ?? '')
  const [values, setValues] = useState<Record<string, string>>(() =>
    Object.fromEntries(Object.keys(route.params).map((name) => [name, query.get(name) ?? ''])),
  )
  return (
    <form
      className="pv-params"
      onSubmit={(event) => {
        event.preventDefault()
        open(addressFor(route, values))
      }}
    >
      {Object.entries(route.params).map(([name, param]) => (
        <div key={name} className="pv-param">
          <label htmlFor={`${id}${name}`}>
            {name}
            {param.required ? ' *' : ''}
          </label>
          {param.values ? (
            <Select
              id={`${id}${name}`}
              className="pv-select"
              value={values[name] ?? ''}
              choices={[...(param.required ? [] : ['']), ...param.values.map(String)].map((value) => ({ value, label: value }))}
              onChoose={(value) => setValues({ ...values, [name]: value })}
            />
          ) : (
            <TextInput
              className="pv-select"
              id={`${id}${name}`}
              value={values[name]}
              placeholder={firstParam(name, param)}
              onChange={(event) => setValues({ ...values, [name]: event.target.value })}
            />
          )}
        </div>
      ))}
      <Button small type="submit">
        {say('preview.open_page')}
      </Button>
    </form>
  )
}
