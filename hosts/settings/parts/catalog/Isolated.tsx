import { Fragment } from "preact"

/** Texts in a row, each isolated by itself: none changes the direction of the others. */
export const Isolated = ({
  between = ", ",
  texts,
}: {
  readonly texts: ReadonlyArray<string>
  readonly between?: string
}) => (
  <>
    {texts.map((text, index) => (
      <Fragment key={index}>
        {index > 0 && between}
        <bdi>{text}</bdi>
      </Fragment>
    ))}
  </>
)
