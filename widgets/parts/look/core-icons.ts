import {
  ChevronDown,
  ChevronLeft,
  ChevronRight,
  House,
  Info,
  LayoutGrid,
  Pause,
  Play,
  Search,
  Settings,
  Star,
  TriangleAlert,
  User,
  X,
} from 'lucide-react'

/** Icons of widgets and of the navigation of any app. An app adds those of its first screens; the other icons are in a chunk of their own. */
export const coreIcons = {
  'chevron-down': ChevronDown,
  'chevron-left': ChevronLeft,
  'chevron-right': ChevronRight,
  house: House,
  info: Info,
  'layout-grid': LayoutGrid,
  pause: Pause,
  play: Play,
  search: Search,
  settings: Settings,
  star: Star,
  'triangle-alert': TriangleAlert,
  user: User,
  x: X,
} as const
