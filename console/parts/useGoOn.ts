import { useLocation, useNavigate } from 'react-router-dom'

/** Where the address bar is: it moves at once, and what is drawn follows when there is time. */
const shownPath = (): string => location.hash.slice(1).split('?', 1)[0] ?? ''

/**
 * Goes to another page after something that took time. An operator who has left the page on which it began stays where they are: a late
 * answer moves nobody.
 */
export function useGoOn(): (to: string) => void {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  return (to) => {
    if (shownPath() === pathname) void navigate(to)
  }
}
