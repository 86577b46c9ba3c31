// Where one looks, and how near: shared by the views side by side, so that they show the same place.

export class Camera {
  /** The cell coordinate in the middle of the view, and pixels per cell. */
  x = 0;
  y = 0;
  scale = 8;
  /** Nobody has moved it since everything was shown. */
  whole = true;

  /**
   * Shows a whole map.
   * @param {number} width
   * @param {number} height
   * @param {number} across pixels
   * @param {number} down pixels
   */
  fit(width, height, across, down) {
    this.x = width / 2;
    this.y = height / 2;
    this.scale = clamp(Math.min(across / (width + 1), down / (height + 1)));
    this.whole = true;
  }

  /**
   * Zooms so that the point under the pointer stays where it is.
   * @param {number} factor
   * @param {number} fromMiddleX pixels
   * @param {number} fromMiddleY pixels
   */
  zoom(factor, fromMiddleX = 0, fromMiddleY = 0) {
    const scale = clamp(this.scale * factor);
    this.whole = false;
    this.x += fromMiddleX / this.scale - fromMiddleX / scale;
    this.y += fromMiddleY / this.scale - fromMiddleY / scale;
    this.scale = scale;
  }

  /** @param {number} dx pixels @param {number} dy pixels */
  pan(dx, dy) {
    this.whole = false;
    this.x -= dx / this.scale;
    this.y -= dy / this.scale;
  }

  /** Never loses the map out of sight. @param {number} width @param {number} height */
  hold(width, height) {
    this.x = Math.max(0, Math.min(width, this.x));
    this.y = Math.max(0, Math.min(height, this.y));
  }
}

/** @param {number} scale */
const clamp = (scale) => Math.max(0.05, Math.min(96, scale));
