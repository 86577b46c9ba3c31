//! Points and directions.

use super::FARTHEST;
use core::fmt;
use core::ops::{Add, Mul, Neg, Sub};

/// A point, or the way from one to another.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[allow(missing_docs)]
pub struct Point {
    pub x: f64,
    pub y: f64,
}

impl Point {
    /// The origin.
    pub const ZERO: Self = Self { x: 0.0, y: 0.0 };
    /// To the right, as a heading.
    pub const EAST: Self = Self { x: 1.0, y: 0.0 };

    /// The point (x, y).
    #[must_use]
    #[inline]
    pub const fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    /// The scalar product.
    #[must_use]
    #[inline]
    pub fn dot(self, other: Self) -> f64 {
        self.x * other.x + self.y * other.y
    }

    /// The third coordinate of the cross product: above zero if `other` is to the left of this (y upwards).
    #[must_use]
    #[inline]
    pub fn cross(self, other: Self) -> f64 {
        self.x * other.y - self.y * other.x
    }

    /// The length; square roots are exact to the last bit on every platform.
    #[must_use]
    #[inline]
    pub fn length(self) -> f64 {
        self.dot(self).sqrt()
    }

    /// The same way with length one; nothing if it leads nowhere.
    #[must_use]
    #[inline]
    pub fn unit(self) -> Option<Self> {
        let length = self.length();
        (length > 0.0 && length.is_finite()).then(|| self * (1.0 / length))
    }

    /// Turned as the heading `by` is turned from [`Self::EAST`]: a product of complex numbers.
    #[must_use]
    #[inline]
    pub fn turned(self, by: Self) -> Self {
        Self::new(self.x * by.x - self.y * by.y, self.x * by.y + self.y * by.x)
    }

    /// Whether both coordinates are numbers no farther from zero than [`FARTHEST`].
    #[must_use]
    #[inline]
    pub fn is_sound(self) -> bool {
        self.x.abs() <= FARTHEST && self.y.abs() <= FARTHEST
    }
}

impl Add for Point {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self::new(self.x + other.x, self.y + other.y)
    }
}

impl Sub for Point {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self::new(self.x - other.x, self.y - other.y)
    }
}

impl Mul<f64> for Point {
    type Output = Self;
    #[inline]
    fn mul(self, by: f64) -> Self {
        Self::new(self.x * by, self.y * by)
    }
}

impl Neg for Point {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self::new(-self.x, -self.y)
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({:.3}, {:.3})", self.x, self.y)
    }
}

/// Where a body is and which way it faces: a heading is a direction of length one.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[allow(missing_docs)]
pub struct Pose {
    pub at: Point,
    pub heading: Point,
}

impl Pose {
    /// At this point, facing east.
    #[must_use]
    pub const fn at(at: Point) -> Self {
        Self { at, heading: Point::EAST }
    }

    /// Whether the point is sound and the heading has length one, up to rounding.
    #[must_use]
    pub fn is_sound(self) -> bool {
        self.at.is_sound() && (self.heading.dot(self.heading) - 1.0).abs() < 1e-9
    }
}
