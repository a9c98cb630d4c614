import { useEffect, useRef } from 'react'
import { type NavigateFunction, useLocation, useNavigate } from 'react-router-dom'

/**
 * Goes to another page after something that took time. An operator who has left the page on which it began stays where they are: a late
 * answer moves nobody.
 */
export function useGoOn(): (to: string) => void {
  const navigate: NavigateFunction = useNavigate()
  const { pathname } = useLocation()
  const now = useRef<string | undefined>(undefined)
  useEffect(() => {
    now.current = pathname
    return () => {
      now.current = undefined
    }
  }, [pathname])
  return (to) => {
    if (now.current === pathname) void navigate(to)
  }
}
