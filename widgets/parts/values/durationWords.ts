const minuteS = 60

/** A duration of seconds options in words: 30 s, 5 min. */
export function durationWords(seconds: number, say: (key: string, args: Record<string, unknown>) => string): string {
  return seconds % minuteS ? say('widget.seconds_short', { n: seconds }) : say('widget.minutes_short', { n: seconds / minuteS })
}
