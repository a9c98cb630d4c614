import { defineWidget } from '#renderer/widget-api.ts'
import { TabBar } from '#widgets/tab-bar/TabBar.tsx'
import { tabBarProps } from '#widgets/tab-bar/tab-bar.props.ts'

export const tabBar = defineWidget({
  type: 'tab-bar',
  props: tabBarProps,
  label: 'label',
  view: TabBar,
})
