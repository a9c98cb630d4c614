import { useLocation, useNavigate } from 'react-router-dom'

/** Path in the address bar. It changes at once; rendering follows later. */
const shownPath = (): string => location.hash.slice(1).split('?', 1)[0] ?? ''

/**
 * Navigates after an asynchronous action. If the operator has left the page on which it started, a late answer
 * does not navigate.
 */
export function useGoOn(): (to: string) => void {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  return (to) => {
    if (shownPath() === pathname) void navigate(to)
  }
}
