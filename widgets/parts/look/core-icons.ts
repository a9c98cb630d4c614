import {
  ChevronDown,
  ChevronLeft,
  ChevronRight,
  CircleAlert,
  House,
  LayoutGrid,
  Pause,
  Play,
  Search,
  Settings,
  Star,
  TriangleAlert,
  X,
} from 'lucide-react'

/** Icons of widgets and of the navigation of any app. An app adds those of its first screens; the other icons are in a chunk of their own. */
export const coreIcons = {
  'chevron-down': ChevronDown,
  'chevron-left': ChevronLeft,
  'chevron-right': ChevronRight,
  'circle-alert': CircleAlert,
  house: House,
  'layout-grid': LayoutGrid,
  pause: Pause,
  play: Play,
  search: Search,
  settings: Settings,
  star: Star,
  'triangle-alert': TriangleAlert,
  x: X,
} as const
